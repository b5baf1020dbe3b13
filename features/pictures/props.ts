declare module '../accounts/props.ts' {
  interface FirstSteps {
    picture: true
  }
}

export {}
