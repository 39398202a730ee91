from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.forms import EmailField
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.generic import CreateView
from gatehouse.django import ProtectSignupMixin, protect_signup


class SignupForm(UserCreationForm):
    email = EmailField()

    class Meta:
        model = User
        fields = ["username", "email"]


class SignupView(ProtectSignupMixin, CreateView):
    form_class = SignupForm
    template_name = "signup.html"
    success_url = "/welcome/"


def signup(request):
    form = SignupForm(request.POST or None)
    if protect_signup(request, form):
        form.save()
        return redirect("/welcome/")
    return render(request, "signup.html", {"form": form})


def welcome(request):
    return HttpResponse("Welcome.")
