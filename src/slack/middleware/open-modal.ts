import type { ModalView } from '@slack/types';
import type { ActionRequest, ReplaceView } from './requests.ts';

/** Shows a modal after an action. The function it returns replaces the modal's content. */
export type ShowModal = (view: ModalView) => Promise<ReplaceView>;

/** Replaces the modal that the button is in. A button in a message, or in the Home, opens a modal. */
export function replaceModal({ view, open }: ActionRequest): ShowModal {
  return async (content) => {
    if (view === undefined) {
      return open(content);
    }
    await view.replace(content);
    return view.replace;
  };
}

/** Pushes over the modal that the button is in. A button in a message, or in the Home, opens a modal. */
export function pushModal({ view, open, push }: ActionRequest): ShowModal {
  return view === undefined ? open : push;
}
