import { html, nothing, type TemplateResult } from 'lit';
import { objectsAt } from '../../lib/json.ts';
import type { SandboxChannel } from '../../slack/protocol.ts';
import { drawAppAvatar, icon } from '../art/icons.ts';
import { drawBlocks } from '../blocks/blocks.ts';
import { askConfirm } from '../elements/field.ts';
import { StatefulElement } from '../state/page-state.ts';
import { viewSurface } from '../state/surfaces.ts';
import './messages/message-composer.ts';
import './messages/message-list.ts';

/** The middle of the page: a channel with its messages, or the app with its Home and messages. */
class ChannelView extends StatefulElement {
  override render(): TemplateResult {
    const { pageState } = this;
    const { channel } = pageState;
    const modal = pageState.snapshot?.modals.length;
    if (!channel) {
      return html`<main class="channel" aria-busy="true"></main>`;
    }
    const atHome = channel.kind === 'dm' && pageState.hasHome && pageState.location.tab === 'home';
    return html`<main class="channel" aria-label=${channel.kind === 'dm' ? pageState.appName : `#${channel.name}`}>
      <header class="row wraps channel-header">
        ${channel.kind === 'dm' ? this.#renderAppHeader(atHome) : this.#renderHeader(channel)}
      </header>
      ${
        atHome
          ? html`<home-view .pageState=${pageState}></home-view>`
          : html`<message-list .pageState=${pageState}></message-list>`
      }
      ${modal ? nothing : html`<notice-list .pageState=${pageState}></notice-list>`}
      ${atHome ? nothing : html`<message-composer .pageState=${pageState}></message-composer>`}
    </main>`;
  }

  #renderHeader(channel: SandboxChannel): TemplateResult {
    const count = channel.members.length;
    const isHere = channel.botIsMember && this.pageState.snapshot?.installation !== undefined;
    return html`<h2 class="row">${icon(channel.kind === 'private' ? 'lock' : 'hash')}${channel.name}</h2>
      <span class="more"
        >${count} ${count === 1 ? 'person' : 'people'} ·
        ${this.pageState.appName} is ${isHere ? '' : 'not '}here${channel.archived ? ' · archived' : ''}</span
      >`;
  }

  #renderAppHeader(atHome: boolean): TemplateResult {
    const { pageState } = this;
    const tab = (name: 'home' | 'messages', label: string, selected: boolean) =>
      html`<button type="button" role="tab" aria-selected=${selected} @click=${() => pageState.go({ tab: name })}>
        ${label}
      </button>`;
    return html`<h2 class="row">${drawAppAvatar('small')}${pageState.appName}</h2>
      ${
        pageState.hasHome
          ? html`<div class="row tabs" role="tablist" aria-label=${pageState.appName}>
              ${tab('home', 'Home', atHome)} ${tab('messages', 'Messages', !atHome)}
            </div>`
          : nothing
      }
      ${this.#renderRemove()}`;
  }

  /** An app that was installed by OAuth can be removed. */
  #renderRemove(): TemplateResult | typeof nothing {
    const { snapshot, appName } = this.pageState;
    const { installation, workspaces = [] } = snapshot ?? {};
    if (!installation || workspaces.length === 0) {
      return nothing;
    }
    return html`<button type="button" class="button" @click=${() => void this.#remove(installation)}>
      Remove ${appName}
    </button>`;
  }

  async #remove({ id, name }: { id: string; name: string }): Promise<void> {
    const { appName, directory } = this.pageState;
    const plain = (text: string) => ({ type: 'plain_text', text });
    const confirm = {
      title: plain(`Remove ${appName}?`),
      text: plain(`${appName} is removed from ${name}.`),
      confirm: plain('Remove'),
      deny: plain('Cancel'),
      style: 'danger',
    };
    if (directory && (await askConfirm(confirm, directory))) {
      await this.pageState.uninstall(id);
    }
  }
}

customElements.define('channel-view', ChannelView);

/** The app's Home tab. */
class HomeView extends StatefulElement {
  override connectedCallback(): void {
    super.connectedCallback();
    void this.pageState.perform({ do: 'home', person: this.pageState.location.person });
  }

  override render(): TemplateResult {
    const { snapshot, directory, appName } = this.pageState;
    if (!snapshot?.home || !directory) {
      return html`<p class="empty">${appName} hasn’t set up its Home tab yet.</p>`;
    }
    const { home } = snapshot;
    return html`<div class="scrolls home" role="tabpanel" aria-label="Home">
      ${drawBlocks(objectsAt(home.view, 'blocks'), viewSurface(this.pageState, directory, home))}
    </div>`;
  }
}

customElements.define('home-view', HomeView);

/** Older notices appear when these are dismissed. */
const maxNotices = 3;

/** Slack's notices to the person, such as a failed command. */
class NoticeList extends StatefulElement {
  override render(): TemplateResult {
    const { pageState } = this;
    return html`<div role="status" aria-live="polite">
      ${pageState.notices.slice(-maxNotices).map(
        ({ id, text }) =>
          html`<p class="row card notice">
            ${icon('alert')}<span class="grow">${text}</span>
            <button type="button" class="tool" aria-label="Dismiss" @click=${() => pageState.dismiss(id)}>
              ${icon('close')}
            </button>
          </p>`,
      )}
    </div>`;
  }
}

customElements.define('notice-list', NoticeList);
