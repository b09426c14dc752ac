/** The part of autocannon that the benchmarks use; the package has no types of its own. */
declare module 'autocannon' {
  namespace autocannon {
    interface Request {
      method: string;
      headers: Record<string, string>;
      body: string;
    }
    interface Options {
      url: string;
      connections: number;
      /** In seconds. */
      duration: number;
      /** Requests in all, instead of the duration. */
      amount?: number;
      /** How often it checks whether the time is up, in milliseconds. */
      sampleInt: number;
      /** `setupRequest` is called for each request. */
      requests: { method: 'POST'; setupRequest: (request: Request) => Request }[];
      /** Called with the body of each response. One for which it returns false counts as a mismatch. */
      verifyBody: (body: string) => boolean;
    }
    interface Result {
      errors: number;
      mismatches: number;
      non2xx: number;
    }
    interface Run extends PromiseLike<Result> {
      on(
        event: 'response',
        listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
      ): this;
    }
  }
  function autocannon(options: autocannon.Options): autocannon.Run;
  export = autocannon;
}
