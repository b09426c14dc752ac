import { keepLatest } from '../../../lib/lru-cache.ts';
import type { DndSummary } from '../../../services/campaigns/preflight/preflight.ts';
import type { Preview } from '../../../services/campaigns/preflight/preview.ts';
import { ownId } from '../../../services/operations/ownership.ts';
import type { DroppedFile } from '../../block-kit/view-state.ts';
import type { User } from '../../middleware/requests.ts';
import type { BulkForm } from './form-view.ts';

/** What is remembered of a campaign until it is started, besides what is written down: only to save typing. */
export interface CachedForm {
  /** As it was submitted last. */
  form: BulkForm;
  /** A file that was dropped in since, while the form shows other fields. */
  dropped?: DroppedFile | undefined;
  columns?: Preview['columns'];
  dnd?: DndSummary;
}

/** Forms by the ids of their campaigns, each for the person who filled it in. */
export interface FormCache {
  get(user: User, id: string): CachedForm | undefined;
  keep(user: User, id: string, form: CachedForm): void;
}

const most = 500;

export function createFormCache(): FormCache {
  const forms = keepLatest<CachedForm>(most);
  const keyOf = ({ workspaceId, userId }: User, id: string) =>
    JSON.stringify([workspaceId, ownId(userId, id)]);
  return {
    get: (user, id) => forms.get(keyOf(user, id)),
    keep: (user, id, form) => forms.keep(keyOf(user, id), form),
  };
}
