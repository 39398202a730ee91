import { Body, Controller, Get, HttpException, Inject, Post, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import { Gatehouse } from 'gatehouse-client';
import { CheckedForm, type SignupForm } from './checked-form.js';
import { Pages } from './pages.js';

@Controller()
@UseFilters(Pages)
export class SignupController {
  constructor(@Inject(Gatehouse) private readonly gatehouse: Gatehouse) {}

  @Get()
  form() {
    return Pages.form();
  }

  @Post('signup')
  // Your own checks come first: a form that the pipe refuses is not assessed.
  async signUp(@Body(CheckedForm) form: SignupForm, @Req() request: Request) {
    const { decision, assessment, mailUnwanted } = await this.gatehouse.protectSignup(request, {
      email: form.email,
    });
    if (decision === 'invalid') throw new HttpException('Please check your email address.', 400);
    // It may be a stranger's address: ask for a proof of work (docs/challenges.md) before you send mail there. This form has none.
    if (decision === 'block' || (decision === 'challenge' && mailUnwanted))
      throw new HttpException({ reference: assessment?.request_id }, 403);
    // Send a code to the address here, and create the account when it comes back.
    if (decision === 'challenge') return Pages.confirm();
    // Create the account here.
    return Pages.welcome();
  }
}
