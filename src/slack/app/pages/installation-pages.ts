import { html } from './html.ts';
import { renderPage } from './page.ts';

/** The page after the installation. `address` opens the app in Slack, `webAddress` in the browser. */
export function installedPage(options: {
  workspace: string;
  address: string;
  webAddress: string;
  commandPrefix: string;
}): string {
  const { workspace, address, webAddress, commandPrefix } = options;
  return renderPage({
    title: 'Installed',
    body: html`<h1>Switchboard is installed</h1>
<p class="lead">It’s now part of <strong>${workspace}</strong>, and has sent you a message there.</p>
<p><a class="button" href="${address}">Open Slack</a></p>
<p class="note">Or <a href="${webAddress}">open it in the browser</a>.</p>
<p>Next, connect your messaging provider: open that message, or type <code>/${commandPrefix}switchboard</code>.</p>`,
  });
}

/** The page after an installation that did not succeed. `reason` is a sentence; `install` begins again. */
export function notInstalledPage({ reason, install }: { reason: string; install: string }): string {
  return renderPage({
    title: 'Not installed',
    body: html`<h1>Switchboard isn’t installed</h1>
<p class="lead">${reason}</p>
<p>Nothing has changed in Slack.</p>
<p><a class="button" href="${install}">Try again</a></p>
<p class="note">If it fails again, <a href="/support">ask for support</a>.</p>`,
  });
}
