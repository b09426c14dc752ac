/** The one wording of a workspace without a provider key. */
export const notConnected = 'Switchboard isn’t connected to the provider';
