import { z } from 'zod';
import { ownId } from '../../../../domain/access/ownership.ts';
import { readingReviewSchema } from '../../../../domain/csv/number-table.ts';
import { chosenReadingSchema } from '../../../../domain/csv/table-reading.ts';
import { draftMs } from '../../../../store/campaigns/campaigns.ts';
import { inputFileSchema } from '../../../block-kit/view-state.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import type { Viewer } from '../../../navigation/navigation.ts';
import { startFormSchema } from '../review/start-form.ts';
import { campaignFormSchema } from './form-view.ts';

const savedFormSchema = z.object({
  /** As it was last submitted. */
  form: campaignFormSchema,
  /** The version of the draft created from it. Absent until then. */
  version: z.string().optional(),
  /** A file that was uploaded since, while the form shows other fields. */
  dropped: inputFileSchema.optional(),
  /** How its table was read. */
  readingReview: readingReviewSchema.optional(),
  /** How to read its table, if the user chose it. */
  reading: chosenReadingSchema.optional(),
  /** How many recipients already got a follow-up. */
  followedUp: z.number().optional(),
  /** The letters that are sent without accents, each with its plain one. */
  accents: z.array(z.tuple([z.string(), z.string()])).optional(),
  /** The text that *Convert columns* makes, where the list couldn’t be imported because of its columns. */
  converted: z.string().optional(),
  dnd: z
    .object({
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

export const savedForms = savedAs('campaign', savedFormSchema);

/** The starts that were filled in before a campaign was edited. */
export const savedStarts = savedAs('start', startFormSchema);

function savedAs<Form>(prefix: string, schema: z.ZodType<Form>) {
  const nameOf = ({ userId }: Viewer, id: string) => `${prefix}.${ownId(userId, id)}`;
  return {
    async find({ services }: AppContext, user: Viewer, id: string): Promise<Form | undefined> {
      return schema.optional().parse(await services.savedForms.find(user, nameOf(user, id)));
    },
    save: ({ services }: AppContext, user: Viewer, id: string, form: Form): Promise<void> =>
      services.savedForms.save(user, nameOf(user, id), form, draftMs),
  };
}
