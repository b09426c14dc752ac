import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { SandboxMessage } from '../../../slack/protocol.ts';
import { drawAppAvatar, drawAvatar, icon } from '../../art/icons.ts';
import { drawBlocks } from '../../blocks/blocks.ts';
import { drawMenu, type MenuItem } from '../../elements/menu.ts';
import { StatefulElement } from '../../page-element.ts';
import type { Directory } from '../../state/directory.ts';
import { messageSurface } from '../../state/surfaces.ts';
import { fullMoment, timeOf } from '../../text/dates.ts';
import { drawFlow } from '../../text/draw.ts';
import { readMrkdwn } from '../../text/mrkdwn.ts';

/** One message with its sender, time, content and actions. */
export class MessageItem extends StatefulElement {
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
