import {
  type NumberListFaults,
  type ReadNumberList,
  readNumberList,
} from '../../../../services/numbers/number-list.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import type { FormValues, InputFile } from '../../../block-kit/view-state.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import type { User } from '../../../middleware/requests.ts';
import { dndCheckFields } from './views.ts';

/** Of numbers in one check. */
export const mostChecked = 1_000;
const mostBytes = 2_000_000;

/** Reads the numbers out of the form, its file included, which is fetched from Slack. */
export function createNumberReader({ services, files, log }: AppContext) {
  async function fetched(dropped: InputFile): Promise<Buffer | undefined> {
    return files.download(dropped, mostBytes).catch((error: unknown) => {
      log.warn({ err: error }, 'a dropped file could not be fetched');
      return undefined;
    });
  }

  return async ({ workspaceId }: User, values: FormValues): Promise<ReadNumberList> => {
    const { country } = await services.workspaces.defaults(workspaceId);
    const options = { country, most: mostChecked };
    const typed = values[dndCheckFields.numbers]?.text ?? '';
    const [dropped] = values[dndCheckFields.file]?.files ?? [];
    if (dropped === undefined) {
      return readNumberList({ typed }, options);
    }
    if ((dropped.size ?? 0) > mostBytes) {
      return { ok: false, faults: { file: 'This file is too large: up to 2 MB. Leave out other columns.' } };
    }
    const content = await fetched(dropped);
    return content === undefined
      ? { ok: false, faults: { file: 'Slack did not hand over this file. Drop it in again.' } }
      : readNumberList({ typed, file: { name: dropped.name, content } }, options);
  };
}

/** The faults of a list where no field is there to put them beside. */
export function nothingChecked(faults: NumberListFaults): Markup {
  return mrkdwn`*Nothing was checked.* ${'numbers' in faults ? faults.numbers : faults.file}`;
}
