import {
  type NumberListFaults,
  type ReadNumberList,
  readNumberList,
} from '../../../../services/numbers/number-list.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues } from '../../../block-kit/view-state.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { readDroppedFile } from '../../../middleware/dropped-file.ts';
import type { User } from '../../../middleware/requests.ts';
import { dndCheckFields } from './views.ts';

/** In one check. */
export const maxNumbers = 1_000;
const maxBytes = 2_000_000;

/** Creates the function that reads the numbers of the form, and of its file, which is fetched from Slack. */
export function createNumberReader({ services, files, log }: AppContext) {
  return async ({ workspaceId }: User, values: FormValues): Promise<ReadNumberList> => {
    const { country } = await services.workspaces.defaults(workspaceId);
    const options = { country, max: maxNumbers };
    const typed = values[dndCheckFields.numbers]?.text ?? '';
    const [dropped] = values[dndCheckFields.file]?.files ?? [];
    if (dropped === undefined) {
      return readNumberList({ typed }, options);
    }
    const { name } = dropped;
    const fetched = await readDroppedFile(
      dropped,
      { maxBytes, remedy: 'Leave out other columns.', log },
      async () => ({ ok: true as const, content: await files.download(dropped, maxBytes) }),
    );
    return fetched.ok
      ? readNumberList({ typed, file: { name, content: fetched.content } }, options)
      : { ok: false, faults: { file: fetched.reason } };
  };
}

/** The fault of a list, when there is no field to show it beside. */
export function nothingChecked(faults: NumberListFaults): Markup {
  return mrkdwn`*Nothing was checked.* ${'numbers' in faults ? faults.numbers : faults.file}`;
}
