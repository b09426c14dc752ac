import { html } from './html.ts';
import { renderPage } from './page.ts';

/** The page for an address that there is not. It names nothing that was asked for. */
export function notFoundPage(): string {
  return renderPage({
    title: 'Not found',
    body: html`<h1>Page not found</h1>
<p class="lead">There is no page at this address.</p>
<p><a class="button" href="/">Go to Switchboard</a></p>
<p class="note">Or <a href="/support">ask for support</a>.</p>`,
  });
}
