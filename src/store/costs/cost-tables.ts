/** Stands for the sender of what has none, such as a call that reads a code out. No sender is called that. */
export const noSenderId = '-';
