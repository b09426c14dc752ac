import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Phone, PhoneEntry } from '../../../provider/phones/phones.ts';
import { icon } from '../../art/icons.ts';
import type { Control } from '../../elements/field.ts';
import type { Choice } from '../../elements/search-select.ts';
import { StatefulElement } from '../../state/page-state.ts';
import { dayHeading, dayOf, timeOf } from '../../text/draw.ts';
import '../../elements/search-select.ts';

/** How often the phones are read while they are shown: no event tells of what arrives on them. */
const refreshMs = 1_500;

/** The phones that messages arrive on: a choice of the number, and its handset, on which a person can reply. */
class Handset extends StatefulElement {
  /** The chosen number; by default the one with the newest text. */
  #number: string | undefined;
  /** The id of the open conversation. */
  #conversation: string | undefined;
  #sending = false;
  /** The unsent reply of each phone and conversation. */
  readonly #drafts = new Map<string, string>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The conversation that is scrolled to its end, with the number of its texts. */
  #scrolled = '';

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
    const phone = phones.find(({ number }) => number === this.#number) ?? phones[0];
    if (!phone) {
      return html`<p class="empty">No phone has received anything yet. Send a message, then read it here.</p>`;
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
        this.#number = choice?.value;
        this.#conversation = undefined;
        this.requestUpdate();
      }}
    ></search-select>`;
  }

  #renderScreen(phone: Phone): TemplateResult {
    const now = this.pageState.now();
    const open = phone.conversations.find(({ id }) => id === this.#conversation);
    if (!open) {
      return drawInbox(phone, now, (id) => {
        // The number stays, also when another phone gets a newer text.
        this.#number = phone.number;
        this.#conversation = id;
        this.requestUpdate();
      });
    }
    const draftKey = `${phone.number} ${open.id}`;
    const draft = this.#drafts.get(draftKey) ?? '';
    return drawThread(open, {
      now,
      draft,
      sending: this.#sending,
      leave: () => {
        this.#conversation = undefined;
        this.requestUpdate();
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
    if (text === '' || this.#sending) {
      return;
    }
    this.#sending = true;
    this.requestUpdate();
    const isSent = await this.pageState.sendReply({ number, conversation, text });
    this.#sending = false;
    if (isSent) {
      this.#drafts.delete(draftKey);
    }
    this.requestUpdate();
  }

  /** Scrolls an opened conversation to its newest text, and follows the texts that arrive. */
  protected override updated(): void {
    const list = this.querySelector('.texts');
    const shown = list ? `${this.#number} ${this.#conversation} ${list.children.length}` : '';
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

/** The screens of a handset. Phones are in Lagos. */

type Conversation = Phone['conversations'][number];

const zone = 'Africa/Lagos';
const secondsOf = ({ at }: PhoneEntry): number => Date.parse(at) / 1000;

const nameOf = ({ sender }: Conversation): string => sender || 'Voice call';

/** The conversations of a phone, the newest first. */
function drawInbox(phone: Phone, now: number, open: (id: string) => void): TemplateResult {
  return html`<h3 class="handset-title">Messages</h3>
    <ul class="scrolls">
      ${phone.conversations.map((conversation) => {
        const newest = conversation.texts.at(-1);
        return html`<li>
          <button type="button" class="row inbox-item" @click=${() => open(conversation.id)}>
            <span class="avatar" style="--hue: 168" aria-hidden="true">${nameOf(conversation).slice(0, 1)}</span>
            <div class="grow">
              <strong>${nameOf(conversation)}</strong>
              <div class="cut more">${newest ? previewOf(newest) : nothing}</div>
            </div>
            <time class="more">${newest ? momentOf(secondsOf(newest), now) : nothing}</time>
          </button>
        </li>`;
      })}
    </ul>`;
}

function previewOf(entry: PhoneEntry): string {
  if (entry.direction === 'sent') {
    return `You: ${entry.text}`;
  }
  if (!isOnPhone(entry)) {
    return 'Not delivered';
  }
  return entry.channel === 'voice' ? `Call: ${entry.text}` : entry.text || 'A file';
}

function momentOf(seconds: number, now: number): string {
  const isToday = dayOf(seconds, zone) === dayOf(now, zone);
  return isToday ? timeOf(seconds, zone) : dayHeading(seconds, zone, now);
}

interface Thread {
  /** Unix seconds. */
  now: number;
  draft: string;
  sending: boolean;
  leave(): void;
  type(text: string): void;
  send(): void;
}

/** The texts of a conversation, and the field for a reply where its sender can receive one. */
function drawThread(conversation: Conversation, thread: Thread): TemplateResult {
  const { texts } = conversation;
  return html`<header class="row thread-head">
      <button type="button" class="tool" aria-label="Back to the messages" @click=${thread.leave}>${icon('back')}</button>
      <div><h3>${nameOf(conversation)}</h3><span class="more">${conversation.holder}</span></div>
    </header>
    <ol class="scrolls texts" aria-label="Texts of ${nameOf(conversation)}" aria-live="polite" tabindex="0">
      ${texts.map((entry, index) => drawEntry(entry, texts[index - 1], thread.now))}
    </ol>
    ${conversation.canReply ? drawReply(conversation, thread) : drawNoReply(conversation)}`;
}

function drawEntry(entry: PhoneEntry, before: PhoneEntry | undefined, now: number): TemplateResult {
  const seconds = secondsOf(entry);
  const isNewDay = !before || dayOf(secondsOf(before), zone) !== dayOf(seconds, zone);
  const missing = entry.direction === 'received' && !isOnPhone(entry);
  return html`<li class="text-item ${entry.direction} ${missing ? 'missing' : ''}">
    ${isNewDay ? html`<p class="day">${dayHeading(seconds, zone, now)}</p>` : nothing}
    <div class="bubble">${drawContent(entry)}</div>
    <p class="more">
      <time datetime=${entry.at}>${timeOf(seconds, zone)}</time> · <span class=${missing ? 'bad' : ''}>${stateOf(entry)}</span>
    </p>
    ${entry.direction === 'received' ? drawReports(entry) : nothing}
  </li>`;
}

function drawContent(entry: PhoneEntry): TemplateResult {
  const isCall = entry.channel === 'voice';
  const media = entry.direction === 'received' ? entry.media : undefined;
  return html`${isCall ? html`<small>${icon('call')} A voice says<br /></small>` : nothing}${
    media
      ? html`<a class="bubble-file" href=${media} target="_blank" rel="noopener noreferrer"
          >${icon('file')} ${media.split('/').at(-1)}</a
        >`
      : nothing
  }${entry.text}`;
}

type ReceivedEntry = Extract<PhoneEntry, { direction: 'received' }>;

const isOnPhone = ({ delivery }: ReceivedEntry): boolean => delivery === 'Delivered';

function stateOf(entry: PhoneEntry): string {
  if (entry.direction === 'sent') {
    return 'Sent';
  }
  return isOnPhone(entry) ? 'Delivered' : `Not delivered: ${entry.delivery}`;
}

function drawReports({ reports }: ReceivedEntry): TemplateResult | typeof nothing {
  if (reports.length === 0) {
    return nothing;
  }
  return html`<p class="more">
    Reported:
    ${reports.map(({ status, outcome }, index) => {
      const isTaken = typeof outcome === 'number' && outcome >= 200 && outcome < 300;
      return html`${index > 0 ? ', ' : ''}${status}${isTaken ? nothing : html` <span class="bad">(${outcome})</span>`}`;
    })}
  </p>`;
}

function drawReply(conversation: Conversation, { draft, sending, type, send }: Thread): TemplateResult {
  const label = `Reply to ${nameOf(conversation)}`;
  return html`<form
    class="row reply"
    @submit=${(event: Event) => {
      event.preventDefault();
      send();
    }}
  >
    <input
      autocomplete="off"
      aria-label=${label}
      placeholder=${label}
      .value=${live(draft)}
      @input=${(event: Event) => event.target instanceof HTMLInputElement && type(event.target.value)}
    />
    <button type="submit" class="tool send primary" aria-label="Send reply" ?disabled=${sending || draft.trim() === ''}>
      ${icon('send')}
    </button>
  </form>`;
}

function drawNoReply({ sender }: Conversation): TemplateResult {
  return html`<p class="more reply">
    ${sender === '' ? 'You can’t reply to a call by text.' : `${sender} is a name, so it can’t receive replies.`}
  </p>`;
}
