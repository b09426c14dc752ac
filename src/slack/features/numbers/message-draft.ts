import { routeForAll } from '../../../domain/messages/route-advice.ts';
import type { CheckedNumber } from '../../../services/numbers/dnd-check.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Viewer } from '../../navigation/navigation.ts';

/** Keeps the draft that *Send SMS* opens: to the numbers, on the user's route where that reaches all of them. */
export type SaveMessageDraft = (
  user: Viewer,
  draftId: string,
  numbers: readonly CheckedNumber[],
) => Promise<void>;

export function createSaveMessageDraft({
  services,
  time,
}: Pick<AppContext, 'services' | 'time'>): SaveMessageDraft {
  const { workspaces, messages } = services;
  return async ({ workspaceId, userId }, draftId, numbers) => {
    const [defaults, last] = await Promise.all([
      workspaces.defaults(workspaceId),
      workspaces.preferences(workspaceId, userId),
    ]);
    await messages.save(workspaceId, draftId, userId, {
      recipients: numbers.map(({ number }) => number),
      route: routeForAll(numbers, { workspaceRoute: last.route ?? defaults.route, now: time.now() }),
      text: '',
      senderId: last.senderId ?? defaults.senderId,
    });
  };
}
