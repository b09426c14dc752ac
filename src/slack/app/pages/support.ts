import { html } from './html.ts';
import { renderPage } from './page.ts';

/** `GET /support`, where `SUPPORT_URL` leads nowhere else: what people can do themselves, and who to ask. */
export function supportPage(options: { commandPrefix: string; contact?: string | undefined }): string {
  const { commandPrefix, contact } = options;
  const command = (text: string) => html`<code>/${commandPrefix}${text}</code>`;
  return renderPage({
    title: 'Support',
    description: 'Help with Switchboard.',
    body: html`<h1>Support</h1>
<p class="lead">No account is needed to read this page or to report a problem.</p>
<h2>In Slack</h2>
<ul>
<li>Every command answers <code>help</code>: type ${command('sms help')}.</li>
<li>${command('sms history')} says what was sent and how it ended.</li>
<li>An unexpected error shows an id of eight characters. Name it when you report the error.</li>
</ul>
<h2>Common questions</h2>
<h3>An outcome is “unconfirmed”. Was the message sent?</h3>
<p>The provider gave no clear answer, so it may or may not have been sent. Ask the recipient, or look at the provider’s dashboard, before you send again.</p>
<h3>A result doesn’t appear in a channel.</h3>
<p>Invite the app: type <code>/invite @Switchboard</code> in that channel.</p>
<h3>I may not do something.</h3>
<p>An admin of your workspace decides who may do what, in Switchboard’s Home.</p>
<h2>Who to ask</h2>
<p>Ask the admin who added Switchboard to your workspace. They can reach the people who run it.</p>
${contact === undefined ? undefined : html`<p>To report a weakness in its security: <a href="${contact}">${contact.replace(/^mailto:/, '')}</a>.</p>`}`,
  });
}
