import { html, nothing, type TemplateResult } from 'lit';
import type { Person, SandboxChannel, Snapshot, WorkspaceLink } from '../../slack/protocol.ts';
import { drawAppAvatar, drawAvatar, icon } from '../art/icons.ts';
import { drawMenu } from '../elements/element.ts';
import { appChannel, slackbotChannel } from '../state/page-location.ts';
import { StatefulElement } from '../state/page-state.ts';
import { timeOf } from '../text/draw.ts';

/** The sandbox's names of roles. Other roles have Slack's name. */
const roleNames: Record<string, string> = { member: 'agent', stranger: 'another organization' };
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
        ${snapshot.installation ? html`${this.#renderApp()} ${this.#renderSlackbot()}` : this.#renderAddApp()}
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
        class="row channel-link ${unread > 0 ? 'unread' : ''}"
        aria-current=${current ? 'page' : 'false'}
        @click=${() => this.#open(channel.id)}
      >
        ${icon(mark)}<span class="grow cut">${channel.name}</span>
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
        class="row channel-link ${unread > 0 ? 'unread' : ''}"
        aria-current=${current ? 'page' : 'false'}
        @click=${() => this.#open(appChannel)}
      >
        ${drawAppAvatar('small')}<span class="grow cut">${pageState.appName}</span> ${drawUnread(unread)}
      </button>
    </li>`;
  }

  #renderSlackbot(): TemplateResult {
    const current = this.pageState.location.channel === slackbotChannel;
    return html`<li>
      <button
        type="button"
        class="row channel-link"
        aria-current=${current ? 'page' : 'false'}
        @click=${() => this.#open(slackbotChannel)}
      >
        ${icon('bolt')}<span class="grow cut">Slackbot</span>
      </button>
    </li>`;
  }

  #renderAddApp(): TemplateResult {
    const { appName, controls } = this.pageState;
    return html`<li>
      <a class="row channel-link" href=${controls?.app.url ?? '/'} target="_blank" rel="noopener">
        ${icon('plus')}<span class="grow cut">Add ${appName}</span>
      </a>
    </li>`;
  }

  #open(channel: string): void {
    this.pageState.go({ channel, tab: 'messages' });
    this.dispatchEvent(new Event('went', { bubbles: true }));
  }

  #renderSelf({ me, people }: Snapshot): TemplateResult {
    const facts = (person: Person) =>
      `${roleName(person.role)} · ${timeOf(this.pageState.now(), person.timeZone)}`;
    return html`<div class="self">
      <p class="more" aria-hidden="true">You are</p>
      ${drawMenu({
        id: 'self',
        name: `You are ${me.realName} (${roleName(me.role)}). Switch to another person`,
        face: html`${drawAvatar(me, 'large')}
          <span class="grow"><strong>${me.realName}</strong><br /><span class="more">${facts(me)}</span></span>
          ${icon('down')}`,
        buttonClass: 'row',
        items: people.map((person) => ({
          label: html`${drawAvatar(person, 'small')} ${person.realName}`,
          description: facts(person),
          current: person.id === me.id,
          choose: () => this.pageState.go({ person: person.id, channel: '' }),
        })),
      })}
    </div>`;
  }
}

function drawUnread(count: number): TemplateResult | typeof nothing {
  return count > 0 ? html`<span class="badge">${count}<span class="unseen"> unread</span></span>` : nothing;
}

customElements.define('side-bar', SideBar);

/** The squares at the left that switch between workspaces. Nothing where there is only one. */
export class WorkspaceRail extends StatefulElement {
  override render(): TemplateResult | typeof nothing {
    const { snapshot } = this.pageState;
    const workspaces = snapshot?.workspaces ?? [];
    if (workspaces.length < 2) {
      return nothing;
    }
    return html`<nav class="workspace-rail" aria-label="Workspaces">
      <ul class="stack">
        ${workspaces.map((workspace) => this.#renderWorkspace(workspace, workspace.id === snapshot?.team.id))}
      </ul>
    </nav>`;
  }

  #renderWorkspace({ id, name, enterprise, person }: WorkspaceLink, current: boolean): TemplateResult {
    const fullName = enterprise === undefined ? name : `${name} (${enterprise})`;
    return html`<li>
      <button
        type="button"
        aria-label=${fullName}
        title=${fullName}
        aria-current=${current ? 'page' : 'false'}
        @click=${() => this.pageState.go({ team: id, person, channel: '', tab: 'messages' })}
      >
        ${name.slice(0, 2)}
      </button>
    </li>`;
  }
}

customElements.define('workspace-rail', WorkspaceRail);
