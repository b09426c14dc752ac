import { keepLatest } from '../../../lib/lru-cache.ts';
import type { DndShare, Preview } from '../../../services/campaigns/campaigns.ts';
import { ownId } from '../../../services/operations/ownership.ts';
import type { DroppedFile } from '../../block-kit/view-state.ts';
import type { Asker } from '../../middleware/calls.ts';
import type { BulkForm } from './form-view.ts';

/** What is remembered of a campaign until it is started, besides what is written down: only to save typing. */
export interface KeptForm {
  /** As it was submitted last. */
  form: BulkForm;
  /** A file that was dropped in since, while the form shows other fields. */
  dropped?: DroppedFile | undefined;
  columns?: Preview['columns'];
  dnd?: DndShare;
}

/** Forms by the ids of their campaigns, each for the person who filled it in. */
export interface KeptForms {
  get(asker: Asker, id: string): KeptForm | undefined;
  keep(asker: Asker, id: string, form: KeptForm): void;
}

const most = 500;

export function keepForms(): KeptForms {
  const forms = keepLatest<KeptForm>(most);
  const keyOf = ({ workspaceId, personId }: Asker, id: string) =>
    JSON.stringify([workspaceId, ownId(personId, id)]);
  return {
    get: (asker, id) => forms.get(keyOf(asker, id)),
    keep: (asker, id, form) => forms.keep(keyOf(asker, id), form),
  };
}
