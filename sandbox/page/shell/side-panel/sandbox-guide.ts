import { html, nothing, type TemplateResult } from 'lit';
import type { Controls } from '../../../controls.ts';
import { icon } from '../../art/icons.ts';
import { StatefulElement } from '../../state/page-state.ts';
import { timeOf } from '../../text/draw.ts';
import './webhook-form.ts';

const naira = new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' });

/** In naira: what an account begins with. */
const topUp = 25_000;

/** The guide to the sandbox: the provider key, first steps, the provider's state and the magic numbers. */
export class SandboxGuide extends StatefulElement {
  #copied = '';

  override render(): TemplateResult {
    const { controls } = this.pageState;
    if (!controls) {
      return html`<p class="empty">One moment…</p>`;
    }
    return html`<div class="stack guide">
      <p class="more">
        Stand-ins for Slack and the messaging provider, both on this machine. Nothing you send here reaches a phone.
      </p>
      ${this.#renderKey(controls)} ${this.#renderSteps(controls)} ${this.#renderProvider(controls)}
      ${this.#renderPhonebooks(controls)} ${this.#renderNumbers(controls)} ${this.#renderReports(controls)}
      ${this.#renderApp(controls)} ${this.#renderDatabase(controls)}
    </div>`;
  }

  #renderKey({ provider }: Controls): TemplateResult {
    return html`<section>
      <h3>Provider key</h3>
      <p class="more">Paste it where the app asks for the provider’s API key.</p>
      ${this.#renderLine(provider.key, 'Copy the provider key')}
    </section>`;
  }

  #renderSteps({ app }: Controls): TemplateResult {
    const has = (name: string) =>
      this.pageState.snapshot?.commands.find(({ command }) => command.endsWith(name))?.command;
    const connect = has('switchboard');
    const send = has('sms');
    const check = has('dnd-check');
    const code = has('otp');
    return html`<section>
      <h3>First things to try</h3>
      <ol>
        ${app.oauth ? this.#renderInstallSteps() : nothing}
        ${
          connect
            ? html`<li>As Grace, the admin, type <kbd>${connect}</kbd> and connect the key above.</li>`
            : nothing
        }
        ${
          connect
            ? html`<li>There, open <em>Reports</em> and create the webhook URL. Then the provider reports on each message.</li>`
            : nothing
        }
        ${send ? html`<li>Type <kbd>${send}</kbd>, fill in the form and send.</li>` : nothing}
        ${check ? html`<li>Type <kbd>${check} +2348031234567</kbd>.</li>` : nothing}
        ${
          code
            ? html`<li>Type <kbd>${code}</kbd> and send a code. Read its SMS in <em>Phone</em> above.</li>`
            : nothing
        }
        <li>Switch to another person under <em>You are</em>, at the lower left. Ada is a member, Guy a guest.</li>
        <li>Open <em>Phone</em> above to read what arrived, and to reply as the customer.</li>
        <li>Open <em>Requests</em> above to see each request between Slack, the app and the provider.</li>
      </ol>
    </section>`;
  }

  #renderInstallSteps(): TemplateResult {
    const { snapshot, appName } = this.pageState;
    return html`${
      snapshot && !snapshot.installation
        ? html`<li>Choose <em>Add ${appName}</em> on the left, and allow it.</li>`
        : nothing
    }
      <li>
        Switch workspaces with the squares on the left. Sandbox and Sister belong to one organization, and Chidi can add the app to
        both at once. Harbor and Orchard belong to other companies.
      </li>
      <li>Open ${appName}, on the left, and remove it again.</li>`;
  }

  #renderProvider({ provider }: Controls): TemplateResult {
    return html`<section>
      <h3>Provider</h3>
      ${this.#renderSwitch('provider', provider.up, 'Down: it refuses connections')}
      <dl>
        <dt>Balance</dt>
        <dd>${naira.format(provider.balance)}</dd>
        <dt>Address</dt>
        <dd><code>${provider.url}</code></dd>
      </dl>
      <div class="row wraps">
        <button type="button" class="button" @click=${() => void this.pageState.changeControls({ topUp })}>
          Top up
        </button>
        <span class="more">adds ${naira.format(topUp)} to the balance</span>
      </div>
    </section>`;
  }

  #renderPhonebooks({ provider }: Controls): TemplateResult {
    return html`<section>
      <h3>Phonebooks</h3>
      <p class="more">The provider lists these, although it doesn’t document that. If the app doesn’t use the list, an admin enters the ID of each.</p>
      ${provider.phonebooks.map(
        ({ id, name }) => html`<p>${name}</p>${this.#renderLine(id, `Copy the id of ${name}`)}`,
      )}
    </section>`;
  }

  #renderNumbers({ provider }: Controls): TemplateResult {
    return html`<section>
      <h3>Magic numbers</h3>
      <p class="more">Send to one of these numbers, or look it up, to get the response beside it.</p>
      ${this.#renderNumberTable(provider.magicNumbers)}
      <p class="more">More to try:</p>
      <ul class="more">
        ${provider.numberRules.map((rule) => html`<li>${rule}</li>`)}
      </ul>
    </section>`;
  }

  #renderReports({ provider }: Controls): TemplateResult {
    return html`<section>
      <h3>Delivery reports</h3>
      <p class="more">
        This stands in for the provider’s dashboard. When an admin creates the webhook URL, it is entered here, and the provider reports
        to it on each message. Replies that you type in <em>Phone</em> go there too.
      </p>
      <webhook-form .pageState=${this.pageState}></webhook-form>
      <p class="more">The provider accepts every message to these numbers. Each number decides what happens next.</p>
      ${this.#renderNumberTable(provider.deliveryNumbers)}
    </section>`;
  }

  #renderNumberTable(numbers: Controls['provider']['magicNumbers']): TemplateResult {
    return html`<table class="numbers">
      <thead class="unseen">
        <tr>
          <th scope="col">Number</th>
          <th scope="col">What happens</th>
        </tr>
      </thead>
      <tbody>
        ${numbers.map(
          ({ number, what }) => html`<tr>
            <th scope="row"><code>${number}</code>${this.#renderCopy(number, `Copy ${number}`)}</th>
            <td>${what}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #renderApp({ app, clockShifted }: Controls): TemplateResult {
    const lagos = timeOf(this.pageState.now(), 'Africa/Lagos');
    return html`<section>
      <h3>App and clock</h3>
      <dl>
        <dt>App</dt>
        <dd>
          ${app.instances.length > 1 ? html`${app.instances.length} instances on one PostgreSQL` : app.instances[0]}, over
          ${app.transport === 'http' ? 'HTTP' : 'Socket Mode'}
        </dd>
        <dt>Log</dt>
        <dd><code>${app.log}</code></dd>
        <dt>Clock</dt>
        <dd>
          ${lagos} in Lagos (WAT)${clockShifted ? ', shifted' : ''}
          <div class="more">Start with <code>npm run sandbox -- --at 21:00</code> for quiet hours.</div>
        </dd>
      </dl>
      <div class="row wraps">
        ${app.instances.map(
          (state, index) => html`<button
              type="button"
              class="button"
              ?disabled=${state !== 'ready'}
              @click=${() => void this.pageState.changeControls({ crash: index })}
            >
              ${app.instances.length > 1 ? `Crash instance ${index + 1}` : 'Crash the app'}
            </button>
            ${app.instances.length > 1 ? html`<span class="more">${state}</span>` : nothing}`,
        )}
      </div>
      <p class="more">This kills the app in the middle of its work, then restarts it.</p>
    </section>`;
  }

  #renderDatabase({ database }: Controls): TemplateResult | typeof nothing {
    if (!database) {
      return nothing;
    }
    return html`<section>
      <h3>PostgreSQL</h3>
      ${this.#renderSwitch('database', database.up, 'Down: it is stopped')}
    </section>`;
  }

  #renderSwitch(name: 'provider' | 'database', up: boolean, down: string): TemplateResult {
    const change = () => {
      const to = up ? 'down' : 'up';
      return this.pageState.changeControls(name === 'provider' ? { provider: to } : { database: to });
    };
    return html`<label class="row">
      <input type="checkbox" role="switch" .checked=${up} @change=${() => void change()} />
      <span>${up ? 'Up: it answers' : down}</span>
    </label>`;
  }

  #renderLine(text: string, name: string): TemplateResult {
    return html`<div class="row card copy-line"><code class="grow">${text}</code>${this.#renderCopy(text, name)}</div>`;
  }

  #renderCopy(text: string, name: string): TemplateResult {
    const done = this.#copied === text;
    return html`<button
      type="button"
      class="tool"
      aria-label=${done ? 'Copied' : name}
      title=${done ? 'Copied' : 'Copy'}
      @click=${() => void this.#copy(text)}
    >
      ${icon(done ? 'check' : 'copy')}
    </button>`;
  }

  async #copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text);
    this.#copied = text;
    this.requestUpdate();
  }
}

customElements.define('sandbox-guide', SandboxGuide);
