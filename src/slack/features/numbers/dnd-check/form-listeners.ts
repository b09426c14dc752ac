import type { NumberList } from '../../../../services/numbers/number-list.ts';
import { readDestination } from '../../../block-kit/inputs/destination-input.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { Router } from '../../../middleware/requests.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { showProgress } from '../../../notifier/progress.ts';
import type { Checking } from './check-runner.ts';
import { createNumberReader, nothingChecked } from './form-numbers.ts';
import { needsFile, reportView } from './report-views.ts';
import {
  checkCallback,
  checkingView,
  checkMetadata,
  checkPlaceAction,
  dndCheckFields,
  dndCheckView,
  numbersReadingView,
} from './views.ts';

/** Progress shows each time so many numbers more are done. */
const step = 20;

/** The form of `/dnd-check`: numbers typed, pasted or in a file, and where to show the result. */
export function registerDndCheckForm(router: Router, context: AppContext, checking: Checking): void {
  const read = createNumberReader(context);

  router.action(openActions.dndCheckForm, async ({ open }) => {
    await open(dndCheckView('', { inChannel: false }, undefined));
  });

  router.action(checkPlaceAction, async ({ view }) => {
    const { origin } = checkMetadata.parse(view?.metadata);
    const typed = view?.values[dndCheckFields.numbers]?.text ?? '';
    await view?.replace(dndCheckView(typed, readDestination(view.values, origin), origin));
  });

  router.submission(checkCallback, async ({ user, requestId, values, metadata, beforeAckDeadline }) => {
    const reading = read(user, values);
    const early = await beforeAckDeadline(reading);
    if (early?.ok === false) {
      return { errors: early.faults };
    }
    const destination = readDestination(values, checkMetadata.parse(metadata).origin);
    return {
      view: early === undefined ? numbersReadingView() : progressView(early.list)(0),
      background: async (show) => {
        const given = await reading;
        if (!given.ok) {
          throw new UserError(nothingChecked(given.faults));
        }
        const { list } = given;
        const viewAt = progressView(list);
        const progress = showProgress((done) => show(viewAt(done)), step, list.numbers.length);
        const request = { id: requestId, destination, progress: progress.report };
        return reportView(await checking.check(user, list, request).finally(progress.settled));
      },
    };
  });
}

function progressView(list: NumberList) {
  const file = needsFile(list);
  return (done: number) => checkingView(done, list.numbers.length, file);
}
