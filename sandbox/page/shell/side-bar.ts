import { html, nothing, type TemplateResult } from 'lit';
import type { Person, SandboxChannel, Snapshot } from '../../slack/protocol.ts';
import type { MenuItem } from '../elements/action-menu.ts';
import '../elements/action-menu.ts';
import { drawAppAvatar, drawAvatar } from '../art/avatar.ts';
import { icon } from '../art/icons.ts';
import { StatefulElement } from '../page-element.ts';
import { appChannel } from '../state/page-location.ts';
import { timeOf } from '../text/dates.ts';

/** The sandbox's names of roles. Other roles have Slack's name. */
const roleNames: Record<string, string> = { member: 'agent', stranger: 'another organisation' };
const roleName = (role: string): string => roleNames[role] ?? role;

/** The workspace, its channels, the app, and the switch between people. */
export class SideBar extends StatefulElement {
  override render(): TemplateResult {
    const { snapshot } = this.pageState;
    if (!snapshot) {
      return html`<nav class="side-bar" aria-label="Channels"></nav>`;
    }
    const rooms = snapshot.channels.filter(({ kind }) => kind !== 'dm');
    return html`<nav class="side-bar" aria-label="Channels">
      <h1>${snapshot.team.name}</h1>
      <h2 id="channels-heading">Channels</h2>
      <ul aria-labelledby="channels-heading">
        ${rooms.map((channel) => this.#renderChannel(channel))}
      </ul>
      <h2 id="apps-heading">Apps</h2>
      <ul aria-labelledby="apps-heading">
        ${snapshot.installation ? this.#renderApp() : this.#renderAddApp()}
      </ul>
      ${this.#renderSelf(snapshot)}
    </nav>`;
  }

  #renderChannel(channel: SandboxChannel): TemplateResult {
    const { pageState } = this;
    const current = pageState.location.channel === channel.id;
    const unread = current ? 0 : pageState.unreadIn(channel.id);
    const mark = channel.archived ? 'archive' : channel.kind === 'private' ? 'lock' : 'hash';
    return html`<li>
      <button
        type="button"
        class="channel-link ${unread > 0 ? 'unread' : ''} ${channel.archived ? 'archived' : ''}"
        aria-current=${current ? 'page' : 'false'}
        @click=${() => this.#open(channel.id)}
      >
        ${icon(mark)}<span class="channel-link-name">${channel.name}</span>
        ${channel.archived ? html`<span class="unseen"> (archived)</span>` : nothing} ${drawUnread(unread)}
      </button>
    </li>`;
  }

  #renderApp(): TemplateResult {
    const { pageState } = this;
    const current = pageState.location.channel === appChannel;
    const unread = pageState.direct && !current ? pageState.unreadIn(pageState.direct.id) : 0;
    return html`<li>
      <button
        type="button"
        class="channel-link ${unread > 0 ? 'unread' : ''}"
        aria-current=${current ? 'page' : 'false'}
        @click=${() => this.#open(appChannel)}
      >
        ${drawAppAvatar('small')}<span class="channel-link-name">${pageState.appName}</span> ${drawUnread(unread)}
      </button>
    </li>`;
  }

  #renderAddApp(): TemplateResult {
    const { appName, controls } = this.pageState;
    return html`<li>
      <a class="channel-link" href=${controls?.app.url ?? '/'} target="_blank" rel="noopener">
        ${icon('plus')}<span class="channel-link-name">Add ${appName}</span>
      </a>
    </li>`;
  }

  #open(channel: string): void {
    this.pageState.go({ channel, tab: 'messages' });
    this.dispatchEvent(new Event('went', { bubbles: true }));
  }

  #renderSelf({ me, people }: Snapshot): TemplateResult {
    const items = people.map(
      (person): MenuItem => ({
        label: html`<span class="person-line">${drawAvatar(person, 'small')} ${person.realName}</span>`,
        description: `${roleName(person.role)} · ${this.#timeAt(person)}`,
        checked: person.id === me.id,
        choose: () => this.pageState.go({ person: person.id, channel: '' }),
      }),
    );
    return html`<div class="self">
      <span class="self-heading" aria-hidden="true">You are</span>
      <action-menu
        .name=${`You are ${me.realName} (${roleName(me.role)}). Be someone else`}
        .buttonClass=${'self-button'}
        .align=${'start'}
        .items=${items}
        .face=${html`${drawAvatar(me, 'large')}<span class="self-text"
            ><strong>${me.realName}</strong><span class="more">${roleName(me.role)} · ${this.#timeAt(me)}</span></span
          >${icon('down')}`}
      ></action-menu>
    </div>`;
  }

  #timeAt(person: Person): string {
    return timeOf(this.pageState.now(), person.timeZone);
  }
}

function drawUnread(count: number): TemplateResult | typeof nothing {
  return count > 0 ? html`<span class="badge">${count}<span class="unseen"> unread</span></span>` : nothing;
}

customElements.define('side-bar', SideBar);
