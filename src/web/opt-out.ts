import type { ServerResponse } from 'node:http';
import { exampleToken, optOutPath } from '../domain/messages/opt-out-link.ts';
import { withOrigin } from '../lib/request-origin.ts';
import { ifRefused } from '../services/refusal.ts';
import type { OptOut, OptOutService } from '../services/suppression-list/suppression-list.ts';
import { html } from './html.ts';
import { renderPage, sendPage } from './page.ts';
import type { HttpRoute } from './server.ts';

/** A button sends nothing. */
const maxBodyBytes = 1_024;

/**
 * The page of an opt-out link. Only its button, a POST, changes anything, because link scanners and previews
 * send a GET. An unknown link costs only a check of its length and one lookup by key.
 */
export function optOutRoutes({ find, optOut }: OptOutService): HttpRoute[] {
  const route = { path: optOutPath, takesRest: true };
  return [
    {
      ...route,
      method: 'GET',
      async handle(_request, response, _body, token) {
        if (token === exampleToken) {
          sendPage(response, 200, examplePage());
          return;
        }
        await find(token)
          .then((found) => {
            const page = found.isOptedOut ? optedOutPage(found) : askPage(found);
            sendPage(response, 200, page, { hasForm: true });
          })
          .catch(unknownLink(response));
      },
    },
    {
      ...route,
      method: 'POST',
      maxBodyBytes,
      async handle(_request, response, _body, token) {
        await withOrigin({ surface: 'link' }, () => optOut(token))
          .then((found) => sendPage(response, 200, optedOutPage(found)))
          .catch(unknownLink(response));
      },
    },
  ];
}

function askPage({ senderId }: OptOut): string {
  return renderPage({
    title: 'Stop messages',
    body: html`<h1>Stop messages from ${senderId}?</h1>
<p class="lead">Your number goes on the do-not-contact list of the organization that sent you this link.</p>
<p>Campaigns will then skip your number. A message that is already on its way may still arrive.</p>
<form method="post"><button class="button" type="submit">Stop messages</button></form>
<p class="note">Nothing changes unless you press the button.</p>`,
  });
}

function optedOutPage({ senderId }: OptOut): string {
  return renderPage({
    title: 'Messages stopped',
    body: html`<h1>Messages stopped</h1>
<p class="lead">Your number is on the do-not-contact list of the organization that wrote to you as ${senderId}.</p>
<p>Campaigns will skip your number from now on. A message that is already on its way may still arrive.</p>
<p class="note">To get messages again, ask that organization.</p>`,
  });
}

function examplePage(): string {
  return renderPage({
    title: 'Example of an opt-out link',
    body: html`<h1>This is an example</h1>
<p class="lead">In the campaign, each recipient gets an opt-out link of their own.</p>
<p>This one belongs to nobody, and stops no messages.</p>`,
  });
}

/** It does not say whether there ever was such a link. */
const unknownLink = (response: ServerResponse) =>
  ifRefused(['gone'], () => {
    const page = renderPage({
      title: 'Link not found',
      body: html`<h1>This link doesn’t work</h1>
<p class="lead">It may be incomplete, or too old. No messages were stopped.</p>
<p>Copy the whole link from the message, or ask the sender to stop.</p>`,
    });
    sendPage(response, 404, page);
  });
