// Asks before the page is left with something that no link holds.

/** While it asks, the browser asks the reader before it leaves the page. It listens only then: who listens may keep the page from coming back as it was. */
export class Leave {
  private readonly ask = (event: Event): void => event.preventDefault();

  asks(is: boolean): void {
    if (is) addEventListener("beforeunload", this.ask);
    else removeEventListener("beforeunload", this.ask);
  }
}
