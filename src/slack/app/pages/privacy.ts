import { auditDays } from '../../../store/audit/expire-audit.ts';
import { html } from './html.ts';
import { renderPage } from './page.ts';

/** `GET /privacy`, where `PRIVACY_URL` leads nowhere else: what is kept, for how long, and who else receives it. */
export function privacyPage(options: { retentionDays: number; contact?: string | undefined }): string {
  const { contact } = options;
  const days = daysOf(options.retentionDays);
  const kept = [
    ['The texts of messages, and who received them', `${days} after they were sent`],
    ['The recipients and texts of a campaign', `${days} after its end; one day if it was not started`],
    ['Requests for approval, with what they ask for', `${days} after their end`],
    ['Unfinished forms, and what was looked up of a number', 'one day'],
    ['A one-time code, as a hash with a key; never the code', 'one day after it expires'],
    [
      'What the provider reported of messages, with hashes of numbers and texts',
      `${days} after it came, of a campaign as long as its recipients`,
    ],
    [
      'Messages that came in, and from which numbers, where a workspace has chosen a channel for them',
      `${days} after they came`,
    ],
    [
      'When numbers stopped messages, or took them up again, by a reply, with hashes of the numbers',
      `${days} after they came`,
    ],
    [
      'The history: who did what, when, and how it ended, with masked numbers',
      'until the app is uninstalled',
    ],
    [
      'The audit: the same, with settings, roles and approvals',
      `${daysOf(auditDays)}, also after the app is uninstalled`,
    ],
    [
      'What counts towards limits, with hashes of numbers',
      'one day; counts of pages until the end of the month',
    ],
    ['The balance when the provider was last asked for it', '90 days'],
    [
      'What messages cost, by sending, month, person and sender, without numbers',
      `${daysOf(auditDays)}, or until the app is uninstalled`,
    ],
    ['The do-not-contact list', 'until a number is removed, or the app is uninstalled'],
    [
      'The provider’s API key, Slack’s tokens, and settings',
      'until they are removed, or the app is uninstalled',
    ],
  ] as const;
  return renderPage({
    title: 'Privacy',
    description: 'What Switchboard keeps, for how long, and who else receives it.',
    body: html`<h1>Privacy</h1>
<p class="lead">Switchboard keeps what it needs to send your messages once and to show you how they ended. Nothing is sold, and nothing is used for advertising or to train models.</p>
<h2>What is kept, and for how long</h2>
<dl>
${kept.map(([what, time]) => html`<dt>${what}</dt><dd>${time}</dd>\n`)}</dl>
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
<li>An admin can erase a person’s number from everything that is stored.</li>
<li>What was posted in Slack stays there, under your workspace’s own rules.</li>
</ul>
<h2>These pages</h2>
<p>They have no scripts, set no cookies and count no visits. Only an installation keeps one cookie, for ten minutes, to make sure that it ends in the browser it began in.</p>
<h2>Contact</h2>
<p>Ask the admin who added Switchboard to your workspace, or see <a href="/support">Support</a>.</p>
${contact === undefined ? undefined : html`<p>To report an incident or a weakness: <a href="${contact}">${contact.replace(/^mailto:/, '')}</a>.</p>`}`,
  });
}

function daysOf(days: number): string {
  return days === 1 ? '1 day' : `${days.toLocaleString('en')} days`;
}
