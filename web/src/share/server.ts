// From where the lab can be reached, and what its server cannot do for other pages.
import { home, served } from "../state/site.js";
import { server as strings, sharing } from "./strings.js";

function isLocal(address: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/** Why the lab's address does not work everywhere; "" where it does. */
export function reached(home: string, isFile: boolean): string {
  const { protocol, host, origin } = new URL(home);
  if (isLocal(home)) return isFile ? sharing.kept(home) : sharing.local(host);
  return protocol === "http:" ? sharing.insecure(origin) : "";
}

/** Why this server cannot serve a form; "" where it can. */
export function refused(form: string): string {
  return (form === "card" || form === "oembed") && !served() ? strings.noCards : "";
}

/** What the headers of the page's answer keep from pages elsewhere. */
export function lacking(headers: Headers): string[] {
  const told: string[] = [];
  const frames = headers.get("X-Frame-Options") ?? /frame-ancestors[^;,]*/.exec(headers.get("Content-Security-Policy") ?? "")?.[0].trim();
  if (frames !== undefined && frames !== "frame-ancestors *") told.push(strings.noFrames(frames));
  if (headers.get("Access-Control-Allow-Origin") !== "*") told.push(strings.noSandbox);
  return told;
}

/** Asks the page's server for the headers of the page, and says what they lack. */
export async function lacks(): Promise<string[]> {
  if (!/^https?:$/.test(location.protocol) || self.origin === "null") return []; // a file; or a sandboxed frame, which has what it needs where it runs
  const answer = await fetch(home(), { method: "HEAD" }).catch(() => null); // without a network there is nothing to say
  return answer?.ok ? lacking(answer.headers) : [];
}
