import { z } from 'zod';
import { ownId } from '../../../../services/operations/ownership.ts';
import type { KeptForms } from '../../../../services/workspaces/kept-forms.ts';
import { inputFileSchema } from '../../../block-kit/view-state.ts';
import type { User } from '../../../middleware/requests.ts';
import { type StartForm, startFormSchema } from '../preview/start-form.ts';
import { campaignFormSchema } from './form-view.ts';

const keptFormSchema = z.object({
  /** As it was last submitted. */
  form: campaignFormSchema,
  /** A file that was uploaded since, while the form shows other fields. */
  dropped: inputFileSchema.optional(),
  columns: z.object({ titles: z.array(z.string()), chosen: z.number() }).optional(),
  /** The column of the numbers, from 0, if the user chose one. */
  numberColumn: z.number().optional(),
  dnd: z
    .object({
      kind: z.literal('checked'),
      checked: z.number(),
      active: z.number(),
      unknown: z.number(),
      sample: z.boolean(),
    })
    .optional(),
});

/** What the campaigns themselves do not have of one that is not started yet. Its loss costs the user some typing. */
export type KeptCampaignForm = z.infer<typeof keptFormSchema>;

/** Forms by the id of their campaign, each for the user who filled it in. */
export interface KeptCampaignForms {
  find(user: User, id: string): Promise<KeptCampaignForm | undefined>;
  keep(user: User, id: string, form: KeptCampaignForm): Promise<void>;
  /** The start that was filled in before the campaign was edited. */
  startOf(user: User, id: string): Promise<StartForm | undefined>;
  keepStart(user: User, id: string, start: StartForm): Promise<void>;
}

export function createKeptCampaignForms(kept: Pick<KeptForms, 'find' | 'keep'>): KeptCampaignForms {
  const formName = ({ userId }: User, id: string) => `campaign.${ownId(userId, id)}`;
  const startName = ({ userId }: User, id: string) => `start.${ownId(userId, id)}`;
  return {
    async find(user, id) {
      return keptFormSchema.optional().parse(await kept.find(user, formName(user, id)));
    },
    keep: (user, id, form) => kept.keep(user, formName(user, id), form),
    async startOf(user, id) {
      return startFormSchema.optional().parse(await kept.find(user, startName(user, id)));
    },
    keepStart: (user, id, start) => kept.keep(user, startName(user, id), start),
  };
}
