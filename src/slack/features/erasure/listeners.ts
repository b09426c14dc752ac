import { z } from 'zod';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import {
  eraseConfirmCallback,
  eraseConfirmView,
  erasedView,
  eraseFormCallback,
  eraseFormView,
  erasingView,
  unfinishedView,
} from './views.ts';

const metadataSchema = z.object({ number: phoneNumberSchema });

/** *Erase a person*, for admins: everything that is stored of a phone number. */
export function registerErasure(router: Router, { services: { erasure, workspaces } }: AppContext): void {
  router.action(openActions.erasure, 'administer', async ({ push }) => {
    await push(eraseFormView());
  });

  router.submission(eraseFormCallback, 'administer', async ({ user: { workspaceId }, values }) => {
    const typed = values.number?.text?.trim() ?? '';
    const { country } = await workspaces.defaults(workspaceId);
    const read = readNumber(typed, country);
    if (!read.ok) {
      return { errors: { number: `“${typed}” ${read.reason}.` } };
    }
    return { view: eraseConfirmView(read.number, await erasure.find(workspaceId, read.number)) };
  });

  router.submission(
    eraseConfirmCallback,
    'administer',
    async ({ user: { workspaceId, userId }, metadata }) => {
      const { number } = metadataSchema.parse(metadata);
      return {
        view: erasingView(),
        background: async () => {
          const result = await erasure.erase({ workspaceIds: [workspaceId], number, userId });
          return result.isComplete ? erasedView(result.counts) : unfinishedView();
        },
      };
    },
  );
}
