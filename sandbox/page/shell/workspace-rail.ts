import { html, nothing, type TemplateResult } from 'lit';
import type { WorkspaceLink } from '../../slack/protocol.ts';
import { StatefulElement } from '../page-element.ts';

/** The squares at the left that switch between workspaces. Nothing where there is only one. */
export class WorkspaceRail extends StatefulElement {
  override render(): TemplateResult | typeof nothing {
    const { snapshot } = this.pageState;
    const workspaces = snapshot?.workspaces ?? [];
    if (workspaces.length < 2) {
      return nothing;
    }
    return html`<nav class="workspace-rail" aria-label="Workspaces">
      <ul>
        ${workspaces.map((workspace) => this.#renderWorkspace(workspace, workspace.id === snapshot?.team.id))}
      </ul>
    </nav>`;
  }

  #renderWorkspace({ id, name, enterprise, person }: WorkspaceLink, current: boolean): TemplateResult {
    const fullName = enterprise === undefined ? name : `${name} (${enterprise})`;
    return html`<li>
      <button
        type="button"
        class="workspace-square"
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
