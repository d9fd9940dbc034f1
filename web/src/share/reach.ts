// From where the lab's address can be reached, and from where it cannot.
import { sharing as strings } from "./strings.js";

/** Whether an address means this computer, on every computer. */
function isLocal(address: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/** What there is to know of the lab's address before it is pasted elsewhere; "" where it works everywhere. A file keeps the address that it came from. */
export function reached(home: string, isFile: boolean): string {
  const { protocol, host, origin } = new URL(home);
  if (isLocal(home)) return isFile ? strings.kept(home) : strings.local(host);
  return protocol === "http:" ? strings.insecure(origin) : "";
}
