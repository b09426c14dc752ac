import type { DndShare, Preview } from '../../services/campaigns.ts';
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

/** Forms by the ids of their campaigns, the latest of them; a restart forgets them all. */
export interface KeptForms {
  get(id: string): KeptForm | undefined;
  keep(id: string, kept: KeptForm): void;
}

const most = 500;

export function keepForms(): KeptForms {
  const forms = new Map<string, KeptForm>();
  return {
    get: (id) => forms.get(id),
    keep(id, kept) {
      forms.delete(id);
      const [oldest] = forms.keys();
      if (oldest !== undefined && forms.size >= most) {
        forms.delete(oldest);
      }
      forms.set(id, kept);
    },
  };
}
