import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Phone, PhoneEntry } from '../../../provider/phones/phones.ts';
import { icon } from '../../art/icons.ts';
import { dayHeading, dayOf, timeOf } from '../../text/dates.ts';

/** The screens of a handset. Phones are in Lagos. */

type Conversation = Phone['conversations'][number];

const zone = 'Africa/Lagos';
const secondsOf = ({ at }: PhoneEntry): number => Date.parse(at) / 1000;

const nameOf = ({ sender }: Conversation): string => sender || 'Voice call';

/** The conversations of a phone, the newest first. */
export function drawInbox(phone: Phone, now: number, open: (id: string) => void): TemplateResult {
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
export function drawThread(conversation: Conversation, thread: Thread): TemplateResult {
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
    ${sender === '' ? 'A call cannot be answered with a text.' : `${sender} is a name. It cannot receive replies.`}
  </p>`;
}
