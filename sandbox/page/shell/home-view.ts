import { html, type TemplateResult } from 'lit';
import { drawBlocks } from '../blocks/block.ts';
import { objectsAt } from '../json.ts';
import { StatefulElement } from '../page-element.ts';
import { viewSurface } from '../state/surfaces.ts';

/** The app's Home tab. */
export class HomeView extends StatefulElement {
  override connectedCallback(): void {
    super.connectedCallback();
    void this.pageState.perform({ do: 'home', person: this.pageState.location.person });
  }

  override render(): TemplateResult {
    const { snapshot, directory, appName } = this.pageState;
    if (!snapshot?.home || !directory) {
      return html`<p class="empty">${appName} has not written a Home tab.</p>`;
    }
    const { home } = snapshot;
    return html`<div class="home blocks" role="tabpanel" aria-label="Home">
      ${drawBlocks(objectsAt(home.view, 'blocks'), viewSurface(this.pageState, directory, home))}
    </div>`;
  }
}

customElements.define('home-view', HomeView);
