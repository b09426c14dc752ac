import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { StatefulElement } from '../../page-element.ts';
import { drawJson } from './pretty-json.ts';

const names: Record<LoggedRequest['from'], string> = { slack: 'Slack', app: 'App', provider: 'Provider' };

type Filter = 'all' | 'slack' | 'provider' | 'failed';

const filters: Record<Filter, { label: string; includes(request: LoggedRequest): boolean }> = {
  all: { label: 'All', includes: () => true },
  slack: { label: 'Slack', includes: ({ from, to }) => from === 'slack' || to === 'slack' },
  provider: { label: 'Provider', includes: ({ from, to }) => from === 'provider' || to === 'provider' },
  failed: { label: 'Failed', includes: hasFailed },
};

/** The number of drawn requests. Older ones are found with the filter. */
const maxRequests = 200;

/** The requests between Slack, the app and the provider with their responses, the newest first. */
export class RequestList extends StatefulElement {
  static override properties: PropertyDeclarations = {
    ...StatefulElement.properties,
    filter: { state: true },
    query: { state: true },
  };
  declare private filter: Filter;
  declare private query: string;

  constructor() {
    super();
    this.filter = 'all';
    this.query = '';
  }

  override render(): TemplateResult {
    const query = this.query.trim().toLowerCase();
    const found = this.pageState.exchanges.filter(
      (exchange) =>
        filters[this.filter].includes(exchange) && (query === '' || textOf(exchange).includes(query)),
    );
    return html`<div class="requests">
      <div class="requests-filter">
        <input
          type="search"
          class="text-input"
          aria-label="Filter requests"
          placeholder="Filter by name, number, text…"
          .value=${this.query}
          @input=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) {
              this.query = event.target.value;
            }
          }}
        />
        <div class="segments" role="group" aria-label="Which requests">
          ${(['all', 'slack', 'provider', 'failed'] as const).map(
            (filter) =>
              html`<button
                type="button"
                aria-pressed=${this.filter === filter}
                @click=${() => {
                  this.filter = filter;
                }}
              >
                ${filters[filter].label}
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
          found.slice(-maxRequests).toReversed(),
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

/** Slack reports errors with 200 and `ok: false`. */
function hasFailed({ status, answer }: LoggedRequest): boolean {
  const code = Number(status);
  const refused = typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === false;
  return refused || !(code >= 200 && code < 400);
}

function textOf({ from, to, what, status, request, answer }: LoggedRequest): string {
  return `${names[from]} ${names[to]} ${what} ${status} ${JSON.stringify([request, answer])}`.toLowerCase();
}

customElements.define('request-list', RequestList);
