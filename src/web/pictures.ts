import { routeTitles } from '../domain/messages/routes.ts';
import { html } from './html.ts';

/** The app's logo: a plug on a switchboard. It is decoration: the name stands beside it. */
export const logo = html`<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
  <rect class="logo-back" width="20" height="20" rx="4.5"/>
  <g class="logo-line" fill="none" stroke-width="1.4" stroke-linecap="round">
    <circle cx="6.6" cy="6.4" r="1.8"/><circle cx="13.4" cy="6.4" r="1.8"/>
    <path d="M6.6 8.3c0 4.3 6.8 1.7 6.8 6.2"/><path d="M5.7 14.6h1.8"/>
  </g>
  <circle class="logo-dot" cx="13.4" cy="14.7" r="1.2"/>
</svg>`;

/** The logo as a file of its own, for the browser's tab. */
export const iconFile =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">' +
  '<rect width="20" height="20" rx="4.5" fill="#e9b44c"/>' +
  '<g fill="none" stroke="#221a06" stroke-width="1.4" stroke-linecap="round">' +
  '<circle cx="6.6" cy="6.4" r="1.8"/><circle cx="13.4" cy="6.4" r="1.8"/>' +
  '<path d="M6.6 8.3c0 4.3 6.8 1.7 6.8 6.2"/><path d="M5.7 14.6h1.8"/></g>' +
  '<circle cx="13.4" cy="14.7" r="1.2" fill="#221a06"/></svg>';

/** Slack's mark, as in its *Add to Slack* button. */
export const slackMark = html`<svg viewBox="0 0 122.8 122.8" aria-hidden="true" focusable="false">
  <path fill="#e01e5a" d="M25.8 77.6c0 7.1-5.8 12.9-12.9 12.9S0 84.7 0 77.6s5.8-12.9 12.9-12.9h12.9v12.9zm6.5 0c0-7.1 5.8-12.9 12.9-12.9s12.9 5.8 12.9 12.9v32.3c0 7.1-5.8 12.9-12.9 12.9s-12.9-5.8-12.9-12.9V77.6z"/>
  <path fill="#36c5f0" d="M45.2 25.8c-7.1 0-12.9-5.8-12.9-12.9S38.1 0 45.2 0s12.9 5.8 12.9 12.9v12.9H45.2zm0 6.5c7.1 0 12.9 5.8 12.9 12.9s-5.8 12.9-12.9 12.9H12.9C5.8 58.1 0 52.3 0 45.2s5.8-12.9 12.9-12.9h32.3z"/>
  <path fill="#2eb67d" d="M97 45.2c0-7.1 5.8-12.9 12.9-12.9s12.9 5.8 12.9 12.9-5.8 12.9-12.9 12.9H97V45.2zm-6.5 0c0 7.1-5.8 12.9-12.9 12.9s-12.9-5.8-12.9-12.9V12.9C64.7 5.8 70.5 0 77.6 0s12.9 5.8 12.9 12.9v32.3z"/>
  <path fill="#ecb22e" d="M77.6 97c7.1 0 12.9 5.8 12.9 12.9s-5.8 12.9-12.9 12.9-12.9-5.8-12.9-12.9V97h12.9zm0-6.5c-7.1 0-12.9-5.8-12.9-12.9s5.8-12.9 12.9-12.9h32.3c7.1 0 12.9 5.8 12.9 12.9s-5.8 12.9-12.9 12.9H77.6z"/>
</svg>`;

/** A drawing of the app at work: a campaign's progress in a channel and, before it, a message under review. */
export const picture = html`<svg class="picture" viewBox="0 0 500 440" role="img" aria-labelledby="picture-title">
  <title id="picture-title">Switchboard in Slack: a campaign in progress in a channel, and a message under review before it is sent</title>
  <rect class="p-wash" x="0" y="0" width="500" height="440" rx="20"/>
  <g>
    <rect class="p-card" x="22.5" y="22.5" width="400" height="214" rx="12"/>
    <text class="p-ink p-bold" x="42" y="51">#  campaigns</text>
    <path class="p-line" d="M22.5 66.5h400"/>
    <svg x="42" y="82" width="38" height="38">${logo}</svg>
    <text class="p-ink p-bold" x="92" y="98">Switchboard</text>
    <text class="p-ink p-bold" x="92" y="121">New arrivals</text>
    <rect class="p-track" x="92" y="134" width="250" height="12" rx="6"/>
    <rect class="p-accent" x="92" y="134" width="182" height="12" rx="6"/>
    <text class="p-ink p-bold" x="354" y="146">73%</text>
    <text class="p-soft p-small" x="92" y="170">9,052 sent · 3,348 waiting</text>
    <text class="p-soft p-small" x="92" y="190">By @ada · about 90 a second</text>
  </g>
  <g>
    <rect class="p-card p-front" x="128.5" y="200.5" width="346" height="217" rx="14"/>
    <text class="p-ink p-title" x="150" y="233">Message review</text>
    <text class="p-ink" x="150" y="263"><tspan class="p-bold">3 recipients, 3 pages</tspan></text>
    <text class="p-soft p-small" x="150" y="284">From PalmMarket on the ${routeTitles.generic} route</text>
    <rect class="p-track" x="150" y="298" width="4" height="44" rx="2"/>
    <text class="p-ink" x="166" y="315">Your order is on its way.</text>
    <text class="p-ink" x="166" y="337">Please have NGN 500 ready.</text>
    <path class="p-line" d="M128.5 356.5h346"/>
    <rect class="p-outline" x="296.5" y="370.5" width="76" height="34" rx="7"/>
    <text class="p-ink p-bold" x="334" y="393" text-anchor="middle">Cancel</text>
    <rect class="p-accent" x="384" y="370" width="70" height="35" rx="7"/>
    <text class="p-on-accent p-bold" x="419" y="393" text-anchor="middle">Send</text>
  </g>
</svg>`;
