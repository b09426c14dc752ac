/** Opens the list of contacts, from wherever it is offered. */
export const openContactsAction = 'contacts_open';
/** Back to the list, at the place in the view's metadata. */
export const backAction = 'contacts_back';
/** Opens the list of phonebooks, for admins. */
export const managePhonebooksAction = 'phonebooks_manage';
