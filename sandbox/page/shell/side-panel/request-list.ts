import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Json } from '../../../lib/json.ts';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { StatefulElement } from '../../state/page-state.ts';

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
  #filter: Filter = 'all';
  #query = '';

  override render(): TemplateResult {
    const query = this.#query.trim().toLowerCase();
    const found = this.pageState.exchanges.filter(
      (exchange) =>
        filters[this.#filter].includes(exchange) && (query === '' || textOf(exchange).includes(query)),
    );
    return html`<div>
      <div class="requests-filter">
        <input
          type="search"
          aria-label="Filter requests"
          placeholder="Filter by name, number, text…"
          .value=${this.#query}
          @input=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) {
              this.#query = event.target.value;
              this.requestUpdate();
            }
          }}
        />
        <div class="row tabs" role="group" aria-label="Which requests">
          ${(['all', 'slack', 'provider', 'failed'] as const).map(
            (filter) =>
              html`<button
                type="button"
                aria-pressed=${this.#filter === filter}
                @click=${() => {
                  this.#filter = filter;
                  this.requestUpdate();
                }}
              >
                ${filters[filter].label}
              </button>`,
          )}
        </div>
      </div>
      ${
        found.length === 0
          ? html`<p class="empty">${this.pageState.exchanges.length === 0 ? 'No requests yet.' : 'No matching requests.'}</p>`
          : nothing
      }
      <ol aria-label="Requests">
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
          <div class="row">
            <span class="grow request-name">${what}</span>
            <span class="more ${hasFailed(exchange) ? 'bad' : 'good'}">${status}</span>
          </div>
          <div class="row more">
            <span class="grow"><span class=${from}>${names[from]}</span> → <span class=${to}>${names[to]}</span></span>
            ${Math.round(milliseconds)} ms · ${this.#timeOf(at)}
          </div>
        </summary>
        <h4 class="more">${names[from]} asked</h4>
        ${drawJson(request)}
        <h4 class="more">${names[to]} answered</h4>
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

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Draws JSON indented and coloured, each token as a text node. A string is shown as text. */
function drawJson(value: Json): TemplateResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  if (typeof value === 'string') {
    return html`<pre tabindex="0">${text || '(empty)'}</pre>`;
  }
  const parts: unknown[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon] = match;
    parts.push(text.slice(end, match.index));
    if (quoted) {
      parts.push(html`<span class=${colon ? 'json-key' : 'json-string'}>${quoted}</span>`, colon ?? nothing);
    } else {
      parts.push(html`<span class="json-word">${whole}</span>`);
    }
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return html`<pre tabindex="0">${parts}</pre>`;
}
