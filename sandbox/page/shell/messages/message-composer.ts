import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Snapshot } from '../../../slack/protocol.ts';
import { icon } from '../../art/icons.ts';
import { drawMenu } from '../../elements/element.ts';
import { channelName } from '../../state/directory.ts';
import { StatefulElement } from '../../state/page-state.ts';

type Command = Snapshot['commands'][number];

/** The input for messages and for commands, which it completes. */
export class MessageComposer extends StatefulElement {
  /** The unsent text of each channel. */
  readonly #texts = new Map<string, string>();
  /** The place of the chosen command in the list. */
  #active = 0;
  /** Whether Esc has hidden the list of commands. The next letter shows it again. */
  #closed = false;

  private get text(): string {
    return this.#texts.get(this.pageState.location.channel) ?? '';
  }

  private set text(text: string) {
    this.#texts.set(this.pageState.location.channel, text);
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const { channel, directory, replyTo } = this.pageState;
    if (!channel || !directory) {
      return html``;
    }
    if (channel.archived) {
      return html`<p class="empty">#${channel.name} is archived. Nobody can post here.</p>`;
    }
    if (channel.id === '') {
      return html`<p class="empty">${this.pageState.appName} hasn’t messaged you yet.</p>`;
    }
    if (this.pageState.isReadOnly) {
      return html`<p class="empty">Sending messages to this app has been turned off.</p>`;
    }
    const found = this.#completions();
    const name = `${channel.kind === 'dm' ? '' : '#'}${channelName(directory, channel.id)}`;
    return html`<div class="composer">
      ${found.length > 0 ? this.#renderCompletions(found) : this.#renderUsage()}
      ${
        replyTo
          ? html`<p class="more">
            ${icon('reply')} Replying in a thread
            <button type="button" class="tool" aria-label="Leave the thread" @click=${this.#leaveThread}>
              ${icon('close')}
            </button>
          </p>`
          : nothing
      }
      <div class="row composer-box">
        ${this.#renderShortcuts()}
        <textarea
          rows="1"
          role="combobox"
          aria-label="Message ${name}"
          aria-autocomplete="list"
          aria-expanded=${found.length > 0}
          aria-controls="completions"
          aria-activedescendant=${found.length > 0 ? `completion-${this.#active}` : ''}
          placeholder="Message ${name}, or / for commands"
          .value=${live(this.text)}
          @input=${this.#type}
          @keydown=${this.#key}
        ></textarea>
        <button
          type="button"
          class="tool send primary"
          aria-label="Send message"
          ?disabled=${this.text.trim() === ''}
          @click=${() => void this.#send()}
        >
          ${icon('send')}
        </button>
      </div>
    </div>`;
  }

  #renderCompletions(found: Command[]): TemplateResult {
    return html`<div class="completions" role="listbox" id="completions" aria-label="Commands">
      ${found.map(
        (each, at) => html`<div
          role="option"
          id="completion-${at}"
          class=${at === this.#active ? 'active' : ''}
          aria-selected=${at === this.#active}
          @mousemove=${() => {
            this.#active = at;
            this.requestUpdate();
          }}
          @mousedown=${(event: Event) => {
            event.preventDefault();
            this.#complete(each);
          }}
        >
          <strong>${each.command}</strong> ${each.usageHint}
          <span class="more">${each.description}</span>
        </div>`,
      )}
      <p class="more" aria-hidden="true"><kbd>↑</kbd><kbd>↓</kbd> choose <kbd>Tab</kbd> complete <kbd>Enter</kbd> run</p>
    </div>`;
  }

  /** Shows the usage of a complete command. */
  #renderUsage(): TemplateResult | typeof nothing {
    const known = this.#commandOf(this.text);
    if (!known || !this.text.includes(' ')) {
      return nothing;
    }
    return html`<p class="more"><strong>${known.command}</strong> ${known.usageHint} · ${known.description}</p>`;
  }

  #renderShortcuts(): TemplateResult | typeof nothing {
    const { pageState } = this;
    const { person } = pageState.location;
    const channel = pageState.channel?.id ?? '';
    const shortcuts = pageState.snapshot?.shortcuts.filter(({ type }) => type === 'global') ?? [];
    if (shortcuts.length === 0) {
      return nothing;
    }
    return drawMenu({
      id: 'shortcuts',
      name: 'Shortcuts',
      face: icon('bolt'),
      buttonClass: 'tool',
      items: shortcuts.map(({ callbackId, name }) => ({
        label: name,
        description: pageState.appName,
        choose: () => void pageState.perform({ do: 'shortcut', person, callbackId, channel }),
      })),
    });
  }

  #completions(): Command[] {
    if (this.#closed || !/^\/\S*$/.test(this.text)) {
      return [];
    }
    const typed = this.text.toLowerCase();
    return (this.pageState.snapshot?.commands ?? []).filter(({ command }) =>
      command.toLowerCase().startsWith(typed),
    );
  }

  #commandOf(text: string): Command | undefined {
    const word = /^\S+/.exec(text)?.[0].toLowerCase();
    return this.pageState.snapshot?.commands.find(({ command }) => command.toLowerCase() === word);
  }

  readonly #type = (event: Event): void => {
    if (!(event.target instanceof HTMLTextAreaElement)) {
      return;
    }
    this.#active = 0;
    this.#closed = false;
    this.text = event.target.value;
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.isComposing) {
      return;
    }
    const found = this.#completions();
    const chosen = found[this.#active];
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (chosen) {
        this.text = chosen.command;
      }
      void this.#send();
    } else if (chosen && event.key === 'Tab' && !event.shiftKey) {
      event.preventDefault();
      this.#complete(chosen);
    } else if (chosen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      this.#active = (this.#active + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length;
      this.requestUpdate();
    } else if (chosen && event.key === 'Escape') {
      this.#closed = true;
      this.requestUpdate();
    }
  };

  #complete({ command }: Command): void {
    this.text = `${command} `;
    this.querySelector('textarea')?.focus();
  }

  readonly #leaveThread = (): void => {
    this.pageState.replyTo = undefined;
    this.pageState.redraw();
  };

  /** Text that begins with a slash is a command, as in Slack. */
  async #send(): Promise<void> {
    const { pageState } = this;
    const { person } = pageState.location;
    const channel = pageState.channel?.id;
    const text = this.text.trim();
    if (text === '' || !channel) {
      return;
    }
    this.text = '';
    if (!text.startsWith('/')) {
      const thread = pageState.replyTo ? { threadTs: pageState.replyTo } : {};
      await pageState.perform({ do: 'message', person, channel, text, ...thread });
      return;
    }
    const word = /^\S+/.exec(text)?.[0] ?? text;
    const command = this.#commandOf(text)?.command ?? word;
    await pageState.perform({
      do: 'command',
      person,
      channel,
      command,
      text: text.slice(word.length).trim(),
    });
  }
}

customElements.define('message-composer', MessageComposer);
