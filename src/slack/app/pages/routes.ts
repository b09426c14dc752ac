import type { ServerResponse } from 'node:http';
import type { PublicContacts } from '../../../config/settings.ts';
import type { HttpRoute } from '../http/server.ts';
import { landingPage } from './landing.ts';
import { notFoundPage } from './not-found.ts';
import { iconFile } from './pictures.ts';
import { privacyPage } from './privacy.ts';
import { securityText } from './security-text.ts';
import { sendPage } from './send-page.ts';
import { supportPage } from './support.ts';

const cacheSeconds = 300;

/** The pages for everyone: no request needs a signature, and no answer depends on who asks. */
export function pageRoutes(options: {
  contacts: PublicContacts;
  commandPrefix: string;
  retentionDays: number;
  /** Where an installation begins; undefined where the app serves the one workspace of its token. */
  install?: string | undefined;
  clock: () => Date;
}): HttpRoute[] {
  const { contacts, commandPrefix, retentionDays, install, clock } = options;
  const { supportUrl, privacyUrl, securityContact } = contacts;
  const contact = securityContact?.href;

  return [
    pageAt('/', landingPage({ commandPrefix, install })),
    privacyUrl === undefined
      ? pageAt('/privacy', privacyPage({ retentionDays, contact }))
      : get('/privacy', (response) => redirect(response, privacyUrl)),
    supportUrl === undefined
      ? pageAt('/support', supportPage({ commandPrefix, contact }))
      : get('/support', (response) => redirect(response, supportUrl)),
    get('/icon.svg', (response) => {
      // Opened on its own, an image is a document: the policy of all answers holds for it.
      send(response, 'image/svg+xml', iconFile);
    }),
    ...(contact === undefined
      ? []
      : [
          get('/.well-known/security.txt', (response) =>
            send(response, 'text/plain; charset=utf-8', securityText({ contact, now: clock() })),
          ),
        ]),
  ];
}

/** Answers a GET of a path that there is not. */
export function sendNotFound(response: ServerResponse): void {
  sendPage(response, 404, notFoundPage());
}

function get(path: string, answer: (response: ServerResponse) => void): HttpRoute {
  return { method: 'GET', path, handle: async (_, response) => answer(response) };
}

function pageAt(path: string, text: string): HttpRoute {
  return get(path, (response) => sendPage(response, 200, text, { cacheSeconds }));
}

function send(response: ServerResponse, contentType: string, text: string): void {
  response.writeHead(200, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    'cache-control': `public, max-age=${cacheSeconds}`,
  });
  response.end(text);
}

function redirect(response: ServerResponse, { href }: URL): void {
  response.writeHead(302, { location: href }).end();
}
