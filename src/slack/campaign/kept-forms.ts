import type { DndShare, Preview } from '../../services/campaigns.ts';
import { keepLatest, type Latest } from '../latest.ts';
import type { DroppedFile } from '../values.ts';
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

/** Forms by the ids of their campaigns. */
export type KeptForms = Latest<KeptForm>;

const most = 500;

export function keepForms(): KeptForms {
  return keepLatest(most);
}
