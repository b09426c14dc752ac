import type { ServerResponse } from 'node:http';
import type { Settings } from '../config/settings.ts';
import type { Time } from '../lib/time/clock.ts';
import { auditDays } from '../store/audit/expire-audit.ts';
import { html } from './html.ts';
import { renderPage, sendPage } from './page.ts';
import { iconFile, picture, slackMark } from './pictures.ts';
import type { HttpRoute } from './server.ts';

const cacheSeconds = 300;
const securityPath = '/.well-known/security.txt';

/** The pages for everyone: no request needs a signature, and every visitor gets the same answer. */
export function pageRoutes(
  {
    settings: { contacts, commandPrefix, publicAddress, retentionDays },
    time,
  }: {
    settings: Pick<Settings, 'contacts' | 'commandPrefix' | 'publicAddress' | 'retentionDays'>;
    time: Pick<Time, 'now'>;
  },
  /** Where an installation begins; undefined where the app serves the one workspace of its token. */
  install: string | undefined,
): HttpRoute[] {
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
          get(securityPath, (response) =>
            send(
              response,
              'text/plain; charset=utf-8',
              securityText({ contact, now: time.now(), publicAddress }),
            ),
          ),
        ]),
  ];
}

/** Answers a GET of an unknown path. */
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

const abilities = [
  {
    title: 'Messages and campaigns',
    text: 'An SMS to one person, or to a million from a file, now or later. Each is reviewed with its pages, its route and its warnings.',
  },
  {
    title: 'One-time codes',
    text: 'Codes by SMS, voice, email or chat app, made by Switchboard and verified in Slack. Nobody sees them.',
  },
  {
    title: 'Number checks',
    text: 'Network, porting and Do-Not-Disturb of a number, with the route that reaches it.',
  },
  {
    title: 'Sender IDs and contacts',
    text: 'The names your messages come from, and the phonebooks they go to.',
  },
  { title: 'eSIMs', text: 'Data plans by country, the status of an eSIM, and its QR image.' },
  {
    title: 'A full history',
    text: 'Who sent what, when, and how it ended, by person and by number.',
  },
];

/** `GET /`: what the app does. With `install`, the button that leads to Slack. */
function landingPage(options: { commandPrefix: string; install?: string | undefined }): string {
  const { commandPrefix, install } = options;
  const command = (name: string) => html`<code>/${commandPrefix}${name}</code>`;
  const button =
    install === undefined
      ? undefined
      : html`<p><a class="button slack" href="${install}">${slackMark}Add to Slack</a></p>
<p class="note">You need permission to install apps in your workspace, and an account with a messaging provider.</p>`;
  return renderPage({
    title: 'SMS, codes and eSIMs from Slack',
    description:
      'Send SMS, one-time codes and campaigns from Slack, check numbers, and manage sender IDs, contacts and eSIMs.',
    isText: false,
    body: html`<div class="hero">
<div>
<h1>Reach your customers’ phones without leaving Slack</h1>
<p class="lead">Switchboard brings your messaging provider into Slack: support agents answer by SMS, marketing teams run campaigns, and the channel sees how it went.</p>
${button}
</div>
${picture}
</div>
<section>
<h2>What it does</h2>
<ul class="cards">
${abilities.map(({ title, text }) => html`<li><h3>${title}</h3><p>${text}</p></li>\n`)}</ul>
</section>
<section class="promises">
<h2>Three promises</h2>
<ul>
<li><strong>Nothing is sent twice.</strong> A request that may have reached the provider is never repeated automatically. It’s shown as “unconfirmed”, and a person decides whether to send again.</li>
<li><strong>Nothing is lost silently.</strong> Each message is on disk before it leaves, and its outcome is reported, even after a crash.</li>
<li><strong>Private data stays private.</strong> Keys and texts are encrypted, numbers are masked, and guests and people outside your organization are refused.</li>
</ul>
</section>
<section>
<h2>How it works</h2>
<ol>
<li>An admin adds Switchboard to your workspace. <a href="/privacy">Privacy</a> says what it keeps.</li>
<li>They connect the provider’s API key with ${command('switchboard')}, in a form that never shows it again.</li>
<li>Your team types ${command('sms')}, ${command('otp')} or ${command('number')}. Every command has <code>help</code>.</li>
</ol>
</section>`,
  });
}

/** `GET /privacy`, where `PRIVACY_URL` leads nowhere else: which data is kept, for how long, and who else receives it. */
function privacyPage(options: { retentionDays: number; contact?: string | undefined }): string {
  const { contact } = options;
  return renderPage({
    title: 'Privacy',
    description: 'What Switchboard keeps, for how long, and who else receives it.',
    body: html`<h1>Privacy</h1>
<p class="lead">Switchboard keeps what it needs to send your messages once and to show you how they ended. Nothing is sold, and nothing is used for advertising or to train models.</p>
<h2>What is kept, and for how long</h2>
<dl>
${keptFor(options.retentionDays).map(([what, time]) => html`<dt>${what}</dt><dd>${time}</dd>\n`)}</dl>
<p>Keys, tokens, texts and numbers are encrypted where they are kept. Switchboard reads no messages of your channels.</p>
<h2>Who else receives it</h2>
<ul>
<li><strong>Slack</strong>, which shows your team what it typed and how it ended.</li>
<li><strong>The messaging provider</strong> that an admin of your workspace connects: the numbers, addresses and texts that your team sends or looks up.</li>
<li><strong>The operator of this installation</strong>, who hosts the program and its data.</li>
</ul>
<h2>Deletion</h2>
<ul>
<li>When the app is uninstalled, the workspace’s keys, tokens, settings, codes, drafts and recipients are deleted at once.</li>
<li>An admin can export everything that is stored about a person’s number, and erase the number from it.</li>
<li>What was posted in Slack stays there, under your workspace’s own rules.</li>
</ul>
<h2>These pages</h2>
<p>They have no scripts, set no cookies and count no visits. Only installing the app sets a cookie, for ten minutes, to make sure that it is completed in the browser it was started in.</p>
<h2>Contact</h2>
<p>Ask the admin who added Switchboard to your workspace, or see <a href="/support">Support</a>.</p>
${contact === undefined ? undefined : html`<p>To report an incident or a weakness: <a href="${contact}">${contact.replace(/^mailto:/, '')}</a>.</p>`}`,
  });
}

/** What is kept, and for how long. */
function keptFor(retentionDays: number): readonly (readonly [string, string])[] {
  const days = daysOf(retentionDays);
  return [
    [
      'The texts of messages, samples included, and who received a message or a one-time code',
      `${days} after they were sent`,
    ],
    [
      'The recipients and texts of a campaign',
      `${days} after it ends. A repeating campaign ends with its last run, within a year. A campaign that was never started is kept for 7 days`,
    ],
    ['Requests for approval, with their details', `${days} after they end`],
    ['Unfinished forms, number lookups, and recipients of codes that were not sent', 'one day'],
    [
      'A result for a channel, the file of a Do-Not-Disturb check, or a Slackbot draft that isn’t posted yet',
      'until it is posted, at most a month',
    ],
    [
      'A one-time code, as a hash with a key; never the code',
      'one day after it expires. Who verified it, when, and after how many wrong guesses stays in the history',
    ],
    [
      'The provider’s reports on messages, with hashes of numbers and texts',
      `${days} and a day after they arrive; reports on a campaign, as long as its recipients`,
    ],
    [
      'Incoming messages and their numbers, if a workspace has chosen a channel for them',
      `${days} after they arrive`,
    ],
    ['When numbers opted out or back in by a reply, with hashes of the numbers', `${days} after they arrive`],
    [
      'The history: who did what, when, and how it ended, also whether a message was reported as not delivered, with masked numbers',
      'until the app is uninstalled',
    ],
    [
      'The audit log: who did what and when, also to settings, roles and approvals, with masked numbers',
      `${daysOf(auditDays)}, also after the app is uninstalled`,
    ],
    [
      'What counts towards limits, with hashes of numbers',
      'one day; counts of pages until the end of the month',
    ],
    [
      'Templates of messages, with their last 20 versions',
      `${days} after they are deleted, or until the app is uninstalled`,
    ],
    ['The balance when the provider was last asked for it', '90 days'],
    [
      'Alerts posted in a channel, without numbers and texts',
      `${days} after they were resolved, or until the app is uninstalled`,
    ],
    [
      'What messages cost, by message or campaign, month, person and sender, without phone numbers',
      `${daysOf(auditDays)}, or until the app is uninstalled`,
    ],
    ['The do-not-contact list', 'until a number is removed, or the app is uninstalled'],
    [
      'The provider’s API key, Slack’s tokens, and settings',
      'until they are removed, or the app is uninstalled',
    ],
  ];
}

function daysOf(days: number): string {
  return days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;
}

/** `GET /support`, where `SUPPORT_URL` leads nowhere else: what people can do themselves, and who to ask. */
function supportPage(options: { commandPrefix: string; contact?: string | undefined }): string {
  const { commandPrefix, contact } = options;
  const command = (text: string) => html`<code>/${commandPrefix}${text}</code>`;
  return renderPage({
    title: 'Support',
    description: 'Help with Switchboard.',
    body: html`<h1>Support</h1>
<p class="lead">No account is needed to read this page or to report a problem.</p>
<h2>In Slack</h2>
<ul>
<li>Every command has help: type ${command('sms help')}.</li>
<li>${command('sms history')} says what was sent and how it ended.</li>
<li>An unexpected error shows an id of eight characters. Include it when you report the error.</li>
</ul>
<h2>Common questions</h2>
<h3>An outcome is “unconfirmed”. Was the message sent?</h3>
<p>The provider gave no clear answer, so it may or may not have been sent. Ask the recipient, or look at the provider’s dashboard, before you send again.</p>
<h3>A result doesn’t appear in a channel.</h3>
<p>Invite the app: type <code>/invite @Switchboard</code> in that channel.</p>
<h3>Switchboard says that I can’t do something.</h3>
<p>You need another role. An admin of your workspace can give it to you.</p>
<h2>Who to ask</h2>
<p>Ask the admin who added Switchboard to your workspace. They can reach its operator.</p>
${contact === undefined ? undefined : html`<p>To report a weakness in its security: <a href="${contact}">${contact.replace(/^mailto:/, '')}</a>.</p>`}`,
  });
}

/** The page for an address that there is not. It names nothing that was asked for. */
function notFoundPage(): string {
  return renderPage({
    title: 'Not found',
    body: html`<h1>Page not found</h1>
<p class="lead">There is no page at this address.</p>
<p><a class="button" href="/">Go to Switchboard</a></p>
<p class="note">Or <a href="/support">ask for support</a>.</p>`,
  });
}

const dayMs = 24 * 60 * 60 * 1000;
const validDays = 180;

/**
 * Returns a `security.txt` (RFC 9116). It expires after half a year, so that a stopped program no longer
 * vouches for the contact.
 */
function securityText(options: { contact: string; now: Date; publicAddress: string | undefined }): string {
  const { contact, now, publicAddress } = options;
  const expires = new Date(now.getTime() + validDays * dayMs);
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    ...(publicAddress === undefined ? [] : [`Canonical: ${publicAddress}${securityPath}`]),
    '',
  ].join('\n');
}
