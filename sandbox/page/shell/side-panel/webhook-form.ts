import { html, nothing, type TemplateResult } from 'lit';
import type { Controls } from '../../../controls.ts';
import { StatefulElement } from '../../state/page-state.ts';

type Webhook = Controls['provider']['webhook'];

/** The rates of the webhook, in per cent on the page. */
const rates = [
  ['lossRate', 'Lost reports, %'],
  ['duplicateRate', 'Reports sent twice, %'],
  ['reorderRate', 'Reports out of order, %'],
  ['forgeryRate', 'Reports after a forged one, %'],
] as const;

/** The dashboard of the provider: where reports and inbound messages go, how they are signed, and what becomes of them. */
export class WebhookForm extends StatefulElement {
  override render(): TemplateResult {
    const webhook = this.pageState.controls?.provider.webhook;
    if (!webhook) {
      return html``;
    }
    const isEntered = webhook.url !== '';
    return html`<form class="stack webhook" @submit=${this.#enter} @invalid=${this.#reveal}>
      <label>
        <span class="more">Webhook address</span>
        <input
         
          name="url"
          required
          pattern="(https?://|/).+"
          title="An address, or a path of the app"
          autocomplete="off"
          placeholder="/provider/reports/…"
          value=${webhook.url}
        />
      </label>
      ${this.#renderSignature(webhook)} ${this.#renderConditions(webhook)}
      <div class="row wraps">
        <button type="submit" class="button primary">${isEntered ? 'Change webhook' : 'Enter webhook'}</button>
        ${
          isEntered
            ? html`<button type="button" class="button" @click=${() => void this.#change(null)}>Remove webhook</button>`
            : nothing
        }
      </div>
      <p class="more" role="status">
        ${isEntered ? 'Reports and replies go to this address.' : 'No report is sent until an address is entered.'}
      </p>
    </form>`;
  }

  #renderSignature({ header, hash, encoding, secret, wrapped }: Webhook): TemplateResult {
    return html`<details>
      <summary>Signature and body</summary>
      <div class="stack field-grid">
        <label class="wide">
          <span class="more">Header</span>
          <input name="header" required pattern="[A-Za-z][A-Za-z0-9\\-]*" value=${header} />
        </label>
        ${drawSelect('hash', 'Hash', ['sha512', 'sha256'], hash)}
        ${drawSelect('encoding', 'Encoding', ['hex', 'base64'], encoding)}
        <label class="wide">
          <span class="more">Secret</span>
          <input
           
            name="secret"
            autocomplete="off"
            placeholder="The account’s provider key"
            value=${secret ?? ''}
          />
        </label>
        <label class="row wide">
          <input type="checkbox" name="wrapped" ?checked=${wrapped} />
          <span class="more">Wrap the body in <code>data</code></span>
        </label>
      </div>
    </details>`;
  }

  #renderConditions(webhook: Webhook): TemplateResult {
    return html`<details>
      <summary>Problems on the way</summary>
      <div class="stack field-grid">
        ${drawNumber('delay', 'Delay of each report, in seconds', webhook.delayMs / 1000, 86_400)}
        ${drawNumber('seed', 'Random seed', webhook.seed)}
        ${rates.map(([name, label]) => drawNumber(name, label, Math.round(webhook[name] * 1000) / 10, 100))}
      </div>
    </details>`;
  }

  /** A field that the browser finds wrong may be folded away. */
  readonly #reveal = {
    capture: true,
    handleEvent: (event: Event) => {
      if (event.target instanceof Element) {
        event.target.closest('details')?.setAttribute('open', '');
      }
    },
  };

  readonly #enter = (event: SubmitEvent): void => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement) {
      void this.#change(readForm(new FormData(event.target), this.pageState.controls?.app.url));
    }
  };

  async #change(webhook: ReturnType<typeof readForm> | null): Promise<void> {
    await this.pageState.changeControls({ webhook });
    await this.updateComplete;
    if (webhook === null) {
      this.querySelector('form')?.reset();
    }
  }
}

/** Reads the webhook. A path alone is one of the app, which may not know its own address. */
function readForm(form: FormData, appUrl: string | undefined) {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const share = (name: (typeof rates)[number][0]) => Number(text(name)) / 100;
  const secret = text('secret');
  return {
    url: URL.parse(text('url'), appUrl)?.href ?? text('url'),
    header: text('header'),
    hash: text('hash') === 'sha256' ? ('sha256' as const) : ('sha512' as const),
    encoding: text('encoding') === 'base64' ? ('base64' as const) : ('hex' as const),
    ...(secret !== '' && { secret }),
    wrapped: form.has('wrapped'),
    delayMs: Math.round(Number(text('delay')) * 1000),
    seed: Number(text('seed')),
    lossRate: share('lossRate'),
    duplicateRate: share('duplicateRate'),
    reorderRate: share('reorderRate'),
    forgeryRate: share('forgeryRate'),
  };
}

function drawSelect(name: string, label: string, values: readonly string[], chosen: string): TemplateResult {
  return html`<label>
    <span class="more">${label}</span>
    <select name=${name}>
      ${values.map((value) => html`<option ?selected=${value === chosen}>${value}</option>`)}
    </select>
  </label>`;
}

function drawNumber(name: string, label: string, value: number, max?: number): TemplateResult {
  return html`<label>
    <span class="more">${label}</span>
    <input
     
      type="number"
      name=${name}
      required
      step=${name === 'seed' ? 1 : 0.1}
      min=${max === undefined ? nothing : 0}
      max=${max ?? nothing}
      value=${value}
    />
  </label>`;
}

customElements.define('webhook-form', WebhookForm);
