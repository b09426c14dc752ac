import { z } from 'zod';
import { ownId } from '../../../../domain/access/ownership.ts';
import { inputFileSchema } from '../../../block-kit/view-state.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import type { User } from '../../../middleware/requests.ts';
import { type StartForm, startFormSchema } from '../preview/start-form.ts';
import { campaignFormSchema } from './form-view.ts';

const savedFormSchema = z.object({
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

/**
 * What the campaigns themselves do not have of one that is not started yet, by the id of the campaign, for the user who
 * filled it in. Its loss costs the user some typing.
 */
export type SavedForm = z.infer<typeof savedFormSchema>;

const formName = ({ userId }: User, id: string) => `campaign.${ownId(userId, id)}`;
const startName = ({ userId }: User, id: string) => `start.${ownId(userId, id)}`;

export async function findForm(
  { services }: AppContext,
  user: User,
  id: string,
): Promise<SavedForm | undefined> {
  return savedFormSchema.optional().parse(await services.savedForms.find(user, formName(user, id)));
}

export function saveForm({ services }: AppContext, user: User, id: string, form: SavedForm): Promise<void> {
  return services.savedForms.save(user, formName(user, id), form);
}

/** Returns the start that was filled in before the campaign was edited. */
export async function findStart(
  { services }: AppContext,
  user: User,
  id: string,
): Promise<StartForm | undefined> {
  return startFormSchema.optional().parse(await services.savedForms.find(user, startName(user, id)));
}

export function saveStart({ services }: AppContext, user: User, id: string, start: StartForm): Promise<void> {
  return services.savedForms.save(user, startName(user, id), start);
}
