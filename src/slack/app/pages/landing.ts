import { html } from './html.ts';
import { renderPage } from './page.ts';
import { picture, slackMark } from './pictures.ts';

const abilities = [
  {
    title: 'Messages and campaigns',
    text: 'An SMS to one person, or to a million from a file, now or later. Each is reviewed with its pages, its route and its warnings.',
  },
  {
    title: 'One-time codes',
    text: 'Codes by SMS, voice, email or chat app, made by Switchboard and checked in Slack. Nobody sees them.',
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
export function landingPage(options: { commandPrefix: string; install?: string | undefined }): string {
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
<li><strong>Nothing is sent twice.</strong> A request that may have reached the provider is never repeated. A person decides.</li>
<li><strong>Nothing is lost in silence.</strong> Each message is on disk before it leaves, and its outcome is reported, also after a crash.</li>
<li><strong>Nobody gets what is not theirs.</strong> Keys and texts are encrypted, numbers are masked, and guests and people of other organisations are refused.</li>
</ul>
</section>
<section>
<h2>How it works</h2>
<ol>
<li>An admin adds Switchboard to your workspace. <a href="/privacy">Privacy</a> says what it keeps.</li>
<li>They connect the provider’s API key with ${command('switchboard')}, in a form that never shows it again.</li>
<li>Your team types ${command('sms')}, ${command('otp')} or ${command('number')}. Every command answers <code>help</code>.</li>
</ol>
</section>`,
  });
}
