import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { StatefulElement } from '../../page-element.ts';
import { drawJson } from './pretty-json.ts';

const names: Record<LoggedRequest['from'], string> = { slack: 'Slack', app: 'App', provider: 'Provider' };

type Route = 'all' | 'slack' | 'provider' | 'failed';

const routes: Record<Route, { words: string; takes(exchange: LoggedRequest): boolean }> = {
  all: { words: 'All', takes: () => true },
  slack: { words: 'Slack', takes: ({ from, to }) => from === 'slack' || to === 'slack' },
  provider: { words: 'Provider', takes: ({ from, to }) => from === 'provider' || to === 'provider' },
  failed: { words: 'Failed', takes: hasFailed },
};

/** How many are drawn at once; older ones are found with the filter. */
const most = 200;

/** Every request between Slack, the app and the provider, the newest first, with what was asked and answered. */
export class RequestList extends StatefulElement {
  static override properties: PropertyDeclarations = {
    ...StatefulElement.properties,
    route: { state: true },
    words: { state: true },
  };
  declare private route: Route;
  declare private words: string;

  constructor() {
    super();
    this.route = 'all';
    this.words = '';
  }

  override render(): TemplateResult {
    const words = this.words.trim().toLowerCase();
    const found = this.pageState.exchanges.filter(
      (exchange) => routes[this.route].takes(exchange) && (words === '' || textOf(exchange).includes(words)),
    );
    return html`<div class="requests">
      <div class="requests-filter">
        <input
          type="search"
          class="text-input"
          aria-label="Filter requests"
          placeholder="Filter by name, number, text…"
          .value=${this.words}
          @input=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) {
              this.words = event.target.value;
            }
          }}
        />
        <div class="segments" role="group" aria-label="Which requests">
          ${(['all', 'slack', 'provider', 'failed'] as const).map(
            (route) =>
              html`<button
                type="button"
                aria-pressed=${this.route === route}
                @click=${() => {
                  this.route = route;
                }}
              >
                ${routes[route].words}
              </button>`,
          )}
        </div>
      </div>
      ${
        found.length === 0
          ? html`<p class="empty">${this.pageState.exchanges.length === 0 ? 'No requests yet.' : 'No request matches.'}</p>`
          : nothing
      }
      <ol class="request-items" aria-label="Requests">
        ${repeat(
          found.slice(-most).toReversed(),
          ({ id }) => id,
          (exchange) => this.#renderExchange(exchange),
        )}
      </ol>
    </div>`;
  }

  #renderExchange(exchange: LoggedRequest): TemplateResult {
    const { at, from, to, what, request, status, answer, milliseconds } = exchange;
    return html`<li>
      <details class="request">
        <summary>
          <span class="request-name">${what}</span>
          <span class="status ${hasFailed(exchange) ? 'bad' : 'good'}">${status}</span>
          <span class="request-facts"
            ><span class="party ${from}">${names[from]}</span> → <span class="party ${to}">${names[to]}</span></span
          >
          <span class="request-facts">${Math.round(milliseconds)} ms · ${this.#timeOf(at)}</span>
        </summary>
        <h4>${names[from]} asked</h4>
        ${drawJson(request)}
        <h4>${names[to]} answered</h4>
        ${drawJson(answer)}
      </details>
    </li>`;
  }

  #timeOf(at: string): string {
    const timeZone = this.pageState.directory?.zone;
    return new Date(at).toLocaleTimeString('en-GB', timeZone ? { timeZone } : {});
  }
}

/** Slack says no with 200 and `ok: false`. */
function hasFailed({ status, answer }: LoggedRequest): boolean {
  const code = Number(status);
  const refused = typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === false;
  return refused || !(code >= 200 && code < 400);
}

function textOf({ from, to, what, status, request, answer }: LoggedRequest): string {
  return `${names[from]} ${names[to]} ${what} ${status} ${JSON.stringify([request, answer])}`.toLowerCase();
}

customElements.define('request-list', RequestList);
