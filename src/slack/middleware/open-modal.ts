import type { ModalView } from '@slack/types';
import type { ActionRequest, ReplaceView } from './requests.ts';

/** Brings a view up, where something has just been done. What it gives replaces the view's content. */
export type ShowModal = (view: ModalView) => Promise<ReplaceView>;

/** In place of the modal that the button is in. A button in a message, or in the Home, opens a modal. */
export function replaceModal({ view, open }: ActionRequest): ShowModal {
  return async (content) => {
    if (view === undefined) {
      return open(content);
    }
    await view.replace(content);
    return view.replace;
  };
}

/** Over the modal that the button is in. A button in a message, or in the Home, opens a modal. */
export function pushModal({ view, open, push }: ActionRequest): ShowModal {
  return view === undefined ? open : push;
}
