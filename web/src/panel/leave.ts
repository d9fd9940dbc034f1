/** Has the browser ask before the page is left. It listens only while it asks: a listener may keep the page from coming back as it was. */
export class Leave {
  private readonly ask = (event: Event): void => event.preventDefault();

  asks(is: boolean): void {
    if (is) addEventListener("beforeunload", this.ask);
    else removeEventListener("beforeunload", this.ask);
  }
}
