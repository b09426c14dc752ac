import fc from 'fast-check';
import { oddRequestLines } from '../../support/http/raw-client.ts';
import { json, urlEncoded } from '../../support/slack/signed-request.ts';

/** A body that Slack does not send. */
export const malformed = fc.oneof(
  fc.constantFrom(
    ...['', 'null', 'true', '1', '"x"', '[]', '[null]', '{', '{}', '{"event":null}', '{"event":{}}'],
    ...['{"type":"url_verification"}', '{"type":"view_submission"}', '{"command":null}'],
    ...['{"type":"block_actions","actions":[]}', 'command', 'command=/sms', '%%%=%%', '&&&&'],
    ...['payload=null', 'payload=', 'payload=%7B', 'payload=[]', 'payload=1', 'payload=%ff'],
    ...['payload=%7B%7D&payload=%7B%7D', 'ssl_check=1', 'ssl_check=1&payload=null'],
  ),
  fc.string(),
  fc.json(),
  fc.json().map((text) => `payload=${encodeURIComponent(text)}`),
);

export const contentType = fc.constantFrom(json, urlEncoded, 'text/plain', `${json}; charset=utf-8`, '');

/** The line of a request, and what may be no request at all. */
export const oddLine = fc.oneof(
  fc.constantFrom(...oddRequestLines),
  fc.string().map((text) => `GET ${text} HTTP/1.1`),
  fc.string().map((text) => `GET http://${text} HTTP/1.1`),
  fc.string(),
);

const paths = [
  ...['/', '/privacy', '/support', '/icon.svg', '/.well-known/security.txt'],
  ...['/slack/install', '/slack/oauth_redirect', '/slack/events', '/healthz', '/readyz', '/metrics'],
];

const hostileText = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\r\nset-cookie: a=b', '%0d%0aa: b'],
    ...['https://evil.example/', '//evil.example', 'javascript:alert(1)', '../../../etc/passwd', '{{7*7}}'],
    ...['access_denied', 'xoxb-1', 'a.b.c', 'null', '__proto__', '\u0000', 'x'.repeat(4_000)],
  ),
);

const parameter = fc.constantFrom(
  ...['code', 'state', 'error', 'error_description', 'team', 'scope', 'redirect_uri', 'teamId', 'next'],
);

/** A request of a browser, with a query and cookies that a stranger chose. */
export const visit = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
  path: fc
    .tuple(fc.constantFrom(...paths), fc.array(fc.tuple(parameter, hostileText), { maxLength: 4 }))
    .map(([path, query]) => `${path}?${new URLSearchParams(query)}`),
  headers: fc.record(
    {
      cookie: fc
        .array(fc.tuple(fc.constantFrom('slack-app-oauth-state', 'a', '__Host-a'), hostileText), {
          maxLength: 3,
        })
        .map((cookies) =>
          cookies.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('; '),
        ),
      'x-forwarded-proto': fc.constantFrom('https', 'http', 'https, http', 'javascript'),
      'x-forwarded-host': fc.constantFrom('evil.example', 'switchboard.example.com'),
      host: fc.constantFrom('evil.example', 'localhost'),
    },
    { requiredKeys: [] },
  ),
});
