import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Phone } from '../../../provider/phones/phones.ts';
import type { Control } from '../../elements/field.ts';
import '../../elements/search-select.ts';
import type { Choice } from '../../elements/select.ts';
import { StatefulElement } from '../../page-element.ts';
import { timeOf } from '../../text/dates.ts';
import { drawInbox, drawThread } from './handset-screens.ts';

/** How often the phones are read while they are shown: no event tells of what arrives on them. */
const refreshMs = 1_500;

/** The phones that messages arrive on: a choice of the number, and its handset, on which a person can reply. */
export class Handset extends StatefulElement {
  static override properties: PropertyDeclarations = {
    ...StatefulElement.properties,
    number: { state: true },
    conversation: { state: true },
    sending: { state: true },
  };
  /** The chosen number; by default the one with the newest text. */
  declare private number: string | undefined;
  /** The id of the open conversation. */
  declare private conversation: string | undefined;
  declare private sending: boolean;
  /** The unsent reply of each phone and conversation. */
  readonly #drafts = new Map<string, string>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The conversation that is scrolled to its end, with the number of its texts. */
  #scrolled = '';

  constructor() {
    super();
    this.number = undefined;
    this.conversation = undefined;
    this.sending = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => void this.pageState.refreshPhones(), refreshMs);
  }

  override disconnectedCallback(): void {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const { phones } = this.pageState;
    if (!phones) {
      return html`<p class="empty">One moment…</p>`;
    }
    const phone = phones.find(({ number }) => number === this.number) ?? phones[0];
    if (!phone) {
      return html`<p class="empty">No phone has received anything yet. Send a message, and read it here.</p>`;
    }
    return html`<div class="phones">
      ${this.#renderChoice(phone, phones)}
      <section class="handset" aria-label="Phone ${spacedNumber(phone.number)}">
        <div class="row more handset-bar">
          <span>${phone.network ?? 'Network'}</span>
          <span>${timeOf(this.pageState.now(), 'Africa/Lagos')}</span>
        </div>
        ${this.#renderScreen(phone)}
      </section>
    </div>`;
  }

  #renderChoice(phone: Phone, phones: readonly Phone[]): TemplateResult {
    const choices = phones.map(choiceOf);
    return html`<search-select
      .control=${phoneControl}
      .chosen=${choiceOf(phone)}
      .clearable=${false}
      .search=${async (query: string) => [{ choices: choices.filter((choice) => matches(choice, query)) }]}
      .choose=${(choice: Choice | undefined) => {
        this.number = choice?.value;
        this.conversation = undefined;
      }}
    ></search-select>`;
  }

  #renderScreen(phone: Phone): TemplateResult {
    const now = this.pageState.now();
    const open = phone.conversations.find(({ id }) => id === this.conversation);
    if (!open) {
      return drawInbox(phone, now, (id) => {
        // The number stays, also when another phone gets a newer text.
        this.number = phone.number;
        this.conversation = id;
      });
    }
    const draftKey = `${phone.number} ${open.id}`;
    const draft = this.#drafts.get(draftKey) ?? '';
    return drawThread(open, {
      now,
      draft,
      sending: this.sending,
      leave: () => {
        this.conversation = undefined;
      },
      type: (text) => {
        this.#drafts.set(draftKey, text);
        this.requestUpdate();
      },
      send: () => void this.#send(phone.number, open.id, draftKey),
    });
  }

  async #send(number: string, conversation: string, draftKey: string): Promise<void> {
    const text = this.#drafts.get(draftKey)?.trim() ?? '';
    if (text === '' || this.sending) {
      return;
    }
    this.sending = true;
    const isSent = await this.pageState.sendReply({ number, conversation, text });
    this.sending = false;
    if (isSent) {
      this.#drafts.delete(draftKey);
    }
  }

  /** Scrolls an opened conversation to its newest text, and follows the texts that arrive. */
  protected override updated(): void {
    const list = this.querySelector('.texts');
    const shown = list ? `${this.number} ${this.conversation} ${list.children.length}` : '';
    if (list && shown !== this.#scrolled) {
      list.scrollTo({ top: list.scrollHeight });
    }
    this.#scrolled = shown;
  }
}

/** The select of the phone. */
const phoneControl: Control = {
  element: { min_query_length: 0 },
  inputId: 'phone-number',
  name: 'Phone',
  describedBy: '',
  invalid: false,
  required: true,
};

/** Formats digits as `+234 803 123 4567`, and those of other countries without spaces. */
function spacedNumber(digits: string): string {
  return `+${digits.replace(/^(234)(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3 $4')}`;
}

function choiceOf({ number, network }: Phone): Choice {
  return { value: number, label: spacedNumber(number), description: network };
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

function matches({ value, description = '' }: Choice, query: string): boolean {
  const digits = digitsOf(query);
  return (
    query === '' ||
    (digits !== '' && value.includes(digits)) ||
    description.toLowerCase().includes(query.trim().toLowerCase())
  );
}

customElements.define('hand-set', Handset);
