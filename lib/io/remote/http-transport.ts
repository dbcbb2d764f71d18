/** A request for an object of an HTTP server. */
export interface HttpRequest {
  /** The keys are names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The answer to it. */
export interface HttpAnswer {
  readonly status: number;
  /** Words for the status; may be empty. */
  readonly statusText: string;
  /** Returns a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The transport inflates a body with a Content-Encoding: its bytes are then not the stored ones. */
  readonly inflates: boolean;
  /** The body. `return()` releases its connection. */
  readonly chunks: AsyncIterator<Uint8Array>;
}

/** A way to send a request. Redirections are followed. Rejects if the connection breaks. */
export type HttpTransport = (url: string, request: HttpRequest) => Promise<HttpAnswer>;

/** Sends with the global `fetch`, looked up at each request. For a range, `fetch` accepts no encoding, because ranges count stored bytes. */
export const byFetch: HttpTransport = async (url, request) => {
  const response = await fetch(url, request);
  const { status, statusText, headers } = response;
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  return { status, statusText, header, inflates: true, chunks: chunksOf(response) };
};

function chunksOf({ body }: Response): AsyncIterator<Uint8Array> {
  if (body === null) return { next: () => Promise.resolve({ done: true, value: undefined }) };
  const reader = body.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done: false, value };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
