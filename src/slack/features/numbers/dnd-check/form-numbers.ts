import {
  type NumberListFaults,
  type ReadNumberList,
  readNumberList,
} from '../../../../services/numbers/number-list.ts';
import type { FormValues } from '../../../block-kit/view-state.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { readDroppedFile, smallFile } from '../../../middleware/dropped-file.ts';
import type { User } from '../../../middleware/requests.ts';
import { dndCheckFields } from './views.ts';

/** In one check. */
export const maxNumbers = 1_000;

/** Creates the function that reads the numbers of the form, and of its file, which is fetched from Slack. */
export function createNumberReader(context: AppContext) {
  const { workspaces } = context.services;
  return async ({ workspaceId }: User, values: FormValues): Promise<ReadNumberList> => {
    const { country } = await workspaces.defaults(workspaceId);
    const options = { country, max: maxNumbers };
    const typed = values[dndCheckFields.numbers]?.text ?? '';
    const [dropped] = values[dndCheckFields.file]?.files ?? [];
    if (dropped === undefined) {
      return readNumberList({ typed }, options);
    }
    const limits = { ...smallFile, remedy: 'Remove other columns.' };
    const read = await readDroppedFile({ workspaceId, dropped }, limits, context, (content) =>
      readNumberList({ typed, file: { name: dropped.name, content } }, options),
    );
    return 'reason' in read ? { ok: false, faults: { file: read.reason } } : read;
  };
}

/** The fault of a list, when there is no field to show it beside. */
export function faultOf(faults: NumberListFaults): string {
  return 'numbers' in faults ? faults.numbers : faults.file;
}
