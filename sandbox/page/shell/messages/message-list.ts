import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SandboxMessage } from '../../../slack/protocol.ts';
import { drawAppAvatar, drawAvatar, icon } from '../../art/icons.ts';
import { drawBlocks } from '../../blocks/blocks.ts';
import { drawMenu, type MenuItem } from '../../elements/element.ts';
import type { Directory } from '../../state/directory.ts';
import { StatefulElement } from '../../state/page-state.ts';
import { messageSurface } from '../../state/surfaces.ts';
import { dayHeading, dayOf, drawFlow, fullMoment, timeOf } from '../../text/draw.ts';
import { readMrkdwn } from '../../text/mrkdwn.ts';

/** Messages of one person within this time share one name. */
const groupSeconds = 300;

/** The messages of the channel, the oldest first, with threads below their root. New messages are announced. */
class MessageList extends StatefulElement {
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

/** One message with its sender, time, content and actions. */
class MessageItem extends StatefulElement {
  static override properties: PropertyDeclarations = {
    ...StatefulElement.properties,
    message: { attribute: false },
    continues: { attribute: false },
    canReply: { attribute: false },
  };
  declare message: SandboxMessage;
  /** Whether the message follows one of the same person closely, and is shown without avatar and name. */
  declare continues: boolean;
  declare canReply: boolean;

  override render(): TemplateResult {
    const { pageState, message } = this;
    const { directory } = pageState;
    if (!directory) {
      return html``;
    }
    const { from, ts, onlyFor } = message;
    const person = directory.people.find(({ id }) => id === from);
    const name = from === 'app' ? directory.appName : (person?.realName ?? from);
    const seconds = Number(ts);
    const time = html`<time
      class="more"
      datetime=${new Date(seconds * 1000).toISOString()}
      title=${fullMoment(seconds, directory.zone)}
      >${timeOf(seconds, directory.zone)}</time
    >`;
    return html`<article
      class="message ${onlyFor ? 'only-for-you' : ''}"
      aria-label="${name}, ${timeOf(seconds, directory.zone)}${onlyFor ? ', only visible to you' : ''}"
    >
      <div class="message-face">
        ${this.continues ? time : from === 'app' ? drawAppAvatar('large') : drawAvatar(person, 'large')}
      </div>
      <div class="message-body">
        ${onlyFor ? html`<div class="more">${icon('eye')} Only visible to you</div>` : nothing}
        ${
          this.continues
            ? nothing
            : html`<header class="row">
              <strong>${name}</strong>${from === 'app' ? html`<span class="more">App</span>` : nothing}${time}
            </header>`
        }
        ${message.isBroadcast ? html`<p class="more">also sent to the channel</p>` : nothing}
        ${this.#renderContent(directory)} ${this.#renderFiles()}
      </div>
      <div class="card message-tools">
        ${drawMenu({
          id: `message-${message.channel}-${ts}`,
          name: 'More actions',
          face: icon('more'),
          buttonClass: 'tool',
          items: this.#menu(),
        })}
      </div>
    </article>`;
  }

  /** With blocks, the text is only for notifications. Slack does not mark an ephemeral message as edited. */
  #renderContent(directory: Directory): TemplateResult {
    const { message, pageState } = this;
    const edited = message.editedAt && !message.onlyFor ? html`<span class="more">(edited)</span>` : nothing;
    return message.blocks.length > 0
      ? html`<div class="blocks">${drawBlocks(message.blocks, messageSurface(pageState, directory, message))}</div>${edited}`
      : html`<div class="rich">${drawFlow(readMrkdwn(message.text), directory)}${edited}</div>`;
  }

  #renderFiles(): TemplateResult | typeof nothing {
    const files = this.message.files ?? [];
    if (files.length === 0) {
      return nothing;
    }
    return html`<div class="row wraps">
      ${files.map((file) =>
        file.mimeType.startsWith('image/')
          ? html`<figure class="stack">
              <figcaption class="more">${file.name}</figcaption>
              <img src=${file.url} alt=${file.name} />
            </figure>`
          : html`<a class="row card" href=${file.url} download=${file.name}>
              ${icon('file')}<span><strong>${file.name}</strong><br /><span class="more">${file.mimeType}</span></span>
            </a>`,
      )}
    </div>`;
  }

  #menu(): MenuItem[] {
    const { pageState, message } = this;
    const { channel, ts } = message;
    const shortcuts = pageState.snapshot?.shortcuts.filter(({ type }) => type === 'message') ?? [];
    const reply: MenuItem = {
      label: 'Reply in thread',
      choose: () => {
        pageState.replyTo = message.threadTs ?? ts;
        pageState.redraw();
      },
    };
    return [
      ...shortcuts.map(
        ({ callbackId, name }): MenuItem => ({
          label: name,
          description: pageState.appName,
          choose: () =>
            void pageState.perform({
              do: 'shortcut',
              person: pageState.location.person,
              callbackId,
              message: { channel, ts },
            }),
        }),
      ),
      ...(this.canReply ? [reply] : []),
      { label: 'Copy text', choose: () => void navigator.clipboard.writeText(message.text) },
    ];
  }
}

customElements.define('message-item', MessageItem);
