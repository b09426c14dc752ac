import type { NumberList } from '../../../../services/numbers/number-list.ts';
import { readDestination } from '../../../block-kit/inputs/destination-input.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { showProgress } from '../../../notifier/progress.ts';
import type { RunDndCheck } from './check-runner.ts';
import { createNumberReader, faultOf } from './form-numbers.ts';
import { needsFile, reportView } from './report-views.ts';
import {
  checkCallback,
  checkDestinationAction,
  checkingView,
  checkMetadata,
  dndCheckFields,
  dndCheckView,
  editCheckAction,
  readingNumbersView,
} from './views.ts';

/** How many more numbers are done at each update of the progress. */
const progressStep = 20;

/** The form of `/dnd-check`: numbers typed, pasted or in a file, and the destination of the result. */
export function registerDndCheckForm(router: Router, context: AppContext, runCheck: RunDndCheck): void {
  const read = createNumberReader(context);

  router.action(openActions.dndCheckForm, 'look_up', async ({ open }) => {
    await open(dndCheckView('', { inChannel: false }, undefined));
  });

  router.action(editCheckAction, 'look_up', async ({ value, channelId, open }) => {
    await open(dndCheckView(value, { inChannel: false, channelId }, channelId));
  });

  router.action(checkDestinationAction, 'look_up', async ({ view }) => {
    const { origin } = checkMetadata.parse(view?.metadata);
    const typed = view?.values[dndCheckFields.numbers]?.text ?? '';
    await view?.replace(dndCheckView(typed, readDestination(view.values, origin), origin));
  });

  router.submission(
    checkCallback,
    'look_up',
    async ({ user, requestId, values, metadata, beforeAckDeadline }) => {
      const reading = read(user, values);
      const early = await beforeAckDeadline(reading);
      if (early?.ok === false) {
        return { errors: early.faults };
      }
      const destination = readDestination(values, checkMetadata.parse(metadata).origin);
      return {
        view: early === undefined ? readingNumbersView() : progressView(early.list)(0),
        background: async (show) => {
          const late = await reading;
          if (!late.ok) {
            throw new UserError(mrkdwn`${faultOf(late.faults)}`);
          }
          const { list } = late;
          const viewAt = progressView(list);
          const progress = showProgress((done) => show(viewAt(done)), progressStep, list.numbers.length);
          const request = { id: requestId, destination, progress: progress.report };
          return reportView(await runCheck(user, list, request).finally(progress.settled));
        },
      };
    },
  );
}

function progressView(list: NumberList) {
  const file = needsFile(list);
  return (done: number) => checkingView(done, list.numbers.length, file);
}
