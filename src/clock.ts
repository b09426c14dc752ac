/** The present moment. Passed in wherever time matters, so that a test can be at 21:00 in Lagos. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
