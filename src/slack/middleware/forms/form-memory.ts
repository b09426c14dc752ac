import type { Log } from '../../../lib/log.ts';
import type { KeptForms } from '../../../services/workspaces/kept-forms.ts';
import { type FormValues, formValuesSchema } from '../../block-kit/view-state.ts';

/** Returns the values of a view's fields, with those of fields that it no longer shows. */
export type RememberFormValues = (
  owner: { workspaceId: string; userId: string },
  viewId: string,
  values: FormValues,
) => Promise<FormValues>;

/**
 * Remembers what was entered in each view, fields that are hidden now included: where one choice removes fields and
 * another restores them, they keep their values. Where the store fails, the form goes on with the fields that it shows. No
 * view with a key or a code asks for this.
 */
export function createFormMemory(
  forms: Pick<KeptForms, 'change'>,
  log: Pick<Log, 'warn'>,
): RememberFormValues {
  return async (owner, viewId, values) => {
    let merged = values;
    await forms
      .change(owner, `view.${viewId}`, (before) => {
        merged = { ...formValuesSchema.optional().parse(before), ...values };
        return merged;
      })
      .catch((error: unknown) => log.warn({ err: error }, 'the hidden fields of a form are not kept'));
    return merged;
  };
}
