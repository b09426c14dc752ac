import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SandboxMessage } from '../../../slack/protocol.ts';
import { StatefulElement } from '../../page-element.ts';
import { dayHeading, dayOf } from '../../text/dates.ts';
import './message-item.ts';

/** Messages of one person within this time share one name. */
const groupSeconds = 300;

/** The messages of the channel, the oldest first, with threads below their root. New messages are announced. */
export class MessageList extends StatefulElement {
  #atEnd = true;
  #shownChannel = '';

  override render(): TemplateResult {
    const { pageState } = this;
    const { channel, snapshot, directory } = pageState;
    if (!snapshot || !directory || !channel) {
      return html``;
    }
    const here = snapshot.messages.filter((message) => message.channel === channel.id);
    const byTime = here.toSorted((one, other) => Number(one.ts) - Number(other.ts));
    const known = new Set(byTime.map(({ ts }) => ts));
    const isReply = ({ threadTs, ts }: SandboxMessage) =>
      threadTs !== undefined && threadTs !== ts && known.has(threadTs);
    const roots = byTime.filter((message) => !isReply(message));
    return html`<div
      class="scrolls messages"
      role="log"
      aria-live="polite"
      aria-label="Messages"
      tabindex="0"
      @scroll=${this.#scrolled}
    >
        ${
          roots.length === 0
            ? html`<p class="empty">
              Nothing here yet.
              ${
                snapshot.installation
                  ? html`Type <kbd>/</kbd> below to see the commands of ${directory.appName}.`
                  : nothing
              }
            </p>`
            : nothing
        }
        ${repeat(
          roots,
          ({ ts }) => ts,
          (message, at) => html`
            ${this.#renderDay(message, roots[at - 1])}
            <message-item
              .pageState=${pageState}
              .message=${message}
              .continues=${follows(message, roots[at - 1], directory.zone)}
              .canReply=${message.onlyFor === undefined}
            ></message-item>
            ${this.#renderThread(byTime.filter((reply) => isReply(reply) && reply.threadTs === message.ts))}
          `,
        )}
    </div>`;
  }

  #renderDay(message: SandboxMessage, before: SandboxMessage | undefined): TemplateResult | typeof nothing {
    const { directory } = this.pageState;
    if (!directory) {
      return nothing;
    }
    const { zone } = directory;
    const seconds = Number(message.ts);
    if (before && dayOf(Number(before.ts), zone) === dayOf(seconds, zone)) {
      return nothing;
    }
    return html`<div class="day" role="separator">${dayHeading(seconds, zone, directory.now())}</div>`;
  }

  #renderThread(replies: SandboxMessage[]): TemplateResult | typeof nothing {
    if (replies.length === 0) {
      return nothing;
    }
    return html`<section class="thread" aria-label="Thread">
      ${replies.map(
        (reply) =>
          html`<message-item .pageState=${this.pageState} .message=${reply} .continues=${false} .canReply=${false}></message-item>`,
      )}
    </section>`;
  }

  readonly #scrolled = (event: Event): void => {
    const { currentTarget: list } = event;
    if (!(list instanceof HTMLElement)) {
      return;
    }
    this.#atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  };

  /** Scrolls to the newest message, unless the person has scrolled back. */
  protected override updated(_changed: PropertyValues): void {
    const { channel } = this.pageState.location;
    if (channel !== this.#shownChannel) {
      this.#atEnd = true;
    }
    this.#shownChannel = channel;
    const list = this.querySelector('.messages');
    if (list && this.#atEnd) {
      requestAnimationFrame(() => list.scrollTo({ top: list.scrollHeight }));
    }
  }
}

function follows(message: SandboxMessage, before: SandboxMessage | undefined, zone: string): boolean {
  if (!before || before.from !== message.from || before.onlyFor || message.onlyFor) {
    return false;
  }
  const gap = Number(message.ts) - Number(before.ts);
  return gap < groupSeconds && dayOf(Number(before.ts), zone) === dayOf(Number(message.ts), zone);
}

customElements.define('message-list', MessageList);
