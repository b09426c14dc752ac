import { LRUCache } from 'lru-cache';
import { type Forgetting, workspaceKey } from '../../../../lib/forgetting.ts';
import type { DndSummary } from '../../../../services/campaigns/preflight/preflight.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preview.ts';
import { ownId } from '../../../../services/operations/ownership.ts';
import type { InputFile } from '../../../block-kit/view-state.ts';
import type { User } from '../../../middleware/requests.ts';
import type { StartForm } from '../preview/start-inputs.ts';
import type { CampaignFormInput } from './form-view.ts';

/** What the database does not have of a campaign that is not started yet. Its loss costs the user some typing. */
export interface CachedForm {
  /** As it was last submitted. */
  form: CampaignFormInput;
  /** A file that was uploaded since, while the form shows other fields. */
  dropped?: InputFile | undefined;
  columns?: Preview['columns'];
  /** The column of the numbers, from 0, if the user chose one. */
  numberColumn?: number | undefined;
  dnd?: DndSummary | undefined;
}

/** Forms by the id of their campaign, each for the user who filled it in. */
export interface FormCache {
  get(user: User, id: string): CachedForm | undefined;
  set(user: User, id: string, form: CachedForm): void;
  /** The start that was filled in before the campaign was edited. */
  startOf(user: User, id: string): StartForm | undefined;
  setStart(user: User, id: string, start: StartForm): void;
}

const maxForms = 500;

export function createFormCache(forgetting: Forgetting): FormCache {
  const forms = new LRUCache<string, CachedForm>({ max: maxForms });
  const starts = new LRUCache<string, StartForm>({ max: maxForms });
  forgetting.cache(forms);
  forgetting.cache(starts);
  const keyOf = ({ workspaceId, userId }: User, id: string) => workspaceKey(workspaceId, ownId(userId, id));
  return {
    get: (user, id) => forms.get(keyOf(user, id)),
    set: (user, id, form) => void forms.set(keyOf(user, id), form),
    startOf: (user, id) => starts.get(keyOf(user, id)),
    setStart: (user, id, start) => void starts.set(keyOf(user, id), start),
  };
}
